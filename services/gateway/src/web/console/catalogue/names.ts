/** Names of the catalogue, which members chose without limits: shown as those of clusters are. */
export { clusterName as shownName, listedClusters as listedByName } from '../../kit/visit/cluster-name.ts'
