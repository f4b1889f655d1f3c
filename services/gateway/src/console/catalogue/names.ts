/** Names of the catalogue, which members chose without limits: shown as those of clusters are. */
export { clusterName as shownName, listedClusters as listedByName } from '../../pages/shared/cluster-name.ts'
