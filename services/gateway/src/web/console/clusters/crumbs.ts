import { clusterName, type Cluster } from '../../kit/visit/cluster-name.ts'

export const crumbsOf = (cluster: Cluster) => [
  { label: 'Clusters', path: '/clusters' },
  { label: clusterName(cluster), path: `/clusters/${cluster.id}` },
]
