import { clusterName, type Cluster } from '../../kit/visit/cluster-name.ts'

/** The way to what is below a cluster. */
export const crumbsOf = (cluster: Cluster) => [
  { label: 'Clusters', path: '/clusters' },
  { label: clusterName(cluster), path: `/clusters/${cluster.id}` },
]
