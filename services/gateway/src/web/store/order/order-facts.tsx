import { consoleRoot } from '../../kit/visit/console-root.ts'
import type { Order } from '../../kit/orders/order.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { ClusterLink, type FoundCluster } from '../../kit/visit/cluster-link.tsx'
import { When } from '../../kit/ui/when.tsx'
import { isUnderWay } from '../../kit/orders/progress.tsx'

export interface OrderFactsProps {
  readonly order: Order
  readonly name: string
  readonly workspace: string
  readonly cluster: FoundCluster
  readonly now: number
}

export function OrderFacts({ order, name, workspace, cluster, now }: OrderFactsProps) {
  const { id, state, install_id, cluster_id } = order
  return (
    <dl class="facts">
      <div>
        <dt>Product</dt>
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
            <ClusterLink root={consoleRoot(order.workspace_id)} id={cluster_id} cluster={cluster} />
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
          <dt>Ordered by</dt>
          <dd class="long">{order.ordered_by.email}</dd>
        </div>
      )}
      <div>
        <dt>Ordered on</dt>
        <dd>
          <When at={order.created_at} now={now} />
        </dd>
      </div>
      {isUnderWay(state) && (
        <div>
          <dt>Reserved for you until</dt>
          <dd>
            <When at={order.expires_at} now={now} />
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
