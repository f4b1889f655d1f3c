import { type Cluster, clusterName } from './cluster-name.ts'

/** Null: it was deleted; undefined: compute does not answer. */
export type FoundCluster = Cluster | null | undefined

interface ClusterLinkProps {
  readonly root: string
  readonly id: string
  readonly cluster: FoundCluster
}

export function ClusterLink({ root, id, cluster }: ClusterLinkProps) {
  if (cluster === null) {
    return (
      <>
        <code>{id}</code> <span class="hint">(deleted)</span>
      </>
    )
  }
  return <a href={`${root}/clusters/${id}`}>{cluster ? clusterName(cluster) : <code>{id}</code>}</a>
}
