/** What was ordered, for which workspace, by whom, when. */
import { consoleRoot } from '../../console/shell/scene.ts'
import type { Order } from '../offer/resolve-offer.ts'
import { priceText } from '../offer/terms-view.tsx'
import { clusterName } from '../shared/cluster-name.ts'
import { Moment } from '../shared/moment.tsx'
import { isUnderWay } from './progress.tsx'

/** Null: it was deleted since; undefined: compute does not answer. */
export type FoundCluster = Parameters<typeof clusterName>[0] | null | undefined

export interface OrderFactsProps {
  readonly order: Order
  /** Of what was ordered. */
  readonly name: string
  readonly workspace: string
  readonly cluster: FoundCluster
  readonly now: number
}

export function OrderFacts({ order, name, workspace, cluster, now }: OrderFactsProps) {
  const { id, state, install_id, cluster_id } = order
  const root = consoleRoot(order.workspace_id)
  return (
    <dl class="facts">
      <div>
        <dt>Ordered</dt>
        <dd>
          <strong class="long">{name}</strong>
        </dd>
      </div>
      {install_id && (
        <div>
          <dt>Install</dt>
          <dd>
            <code class="long">{install_id}</code>
          </dd>
        </div>
      )}
      {cluster_id && (
        <div>
          <dt>Cluster</dt>
          <dd class="long">
            {cluster === null ? (
              <>
                <code>{cluster_id}</code> <span class="hint">(deleted)</span>
              </>
            ) : (
              <a href={`${root}/clusters/${cluster_id}`}>
                {cluster ? clusterName(cluster) : <code>{cluster_id}</code>}
              </a>
            )}
          </dd>
        </div>
      )}
      <div>
        <dt>Price</dt>
        <dd>{priceText(order.terms)}</dd>
      </div>
      <div>
        <dt>Workspace</dt>
        <dd class="long">{workspace}</dd>
      </div>
      {order.ordered_by.email && (
        <div>
          <dt>By</dt>
          <dd class="long">{order.ordered_by.email}</dd>
        </div>
      )}
      <div>
        <dt>At</dt>
        <dd>
          <Moment at={order.created_at} now={now} />
        </dd>
      </div>
      {isUnderWay(state) && (
        <div>
          <dt>Reserved until</dt>
          <dd>
            <Moment at={order.expires_at} now={now} />
          </dd>
        </div>
      )}
      <div>
        <dt>Order</dt>
        <dd>
          <code class="long">{id}</code>
        </dd>
      </div>
    </dl>
  )
}
