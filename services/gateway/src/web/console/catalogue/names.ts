/** Names of the catalogue, which members choose freely: shown like those of clusters. */
export { clusterName as shownName, listedClusters as listedByName } from '../../kit/visit/cluster-name.ts'
