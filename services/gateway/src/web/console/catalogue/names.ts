export { clusterName as shownName, listedClusters as listedByName } from '../../kit/visit/cluster-name.ts'
