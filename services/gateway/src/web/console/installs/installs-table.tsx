import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Table } from '../ui/list.tsx'
import { Badge } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import type { InstallNames } from './names.ts'
import { SubscriptionBadge } from './subscription.tsx'

export const orderPath = (
  { workspace, root }: Scene,
  { workspace_id, order_id }: Pick<Item<'list_installs'>, 'workspace_id' | 'order_id'>,
): string => `${workspace_id === workspace.id ? '' : root}/orders/${order_id}`

interface InstallsTableProps {
  readonly scene: Scene
  readonly installs: readonly Item<'list_installs'>[]
  readonly names: InstallNames
  readonly isNarrow?: boolean
}

export const InstallBadge = ({ state }: Pick<Item<'list_installs'>, 'state'>) =>
  state === 'started' ? <Badge look="good">Started</Badge> : <Badge look="quiet">Removed</Badge>

export const InstallsTable = ({ scene, installs, names, isNarrow }: InstallsTableProps) => (
  <Table
    label="Installs"
    items={installs}
    keyOf={({ id }) => id}
    columns={columnsOf(scene, names).filter(({ isExtra }) => !(isNarrow && isExtra))}
  />
)

const columnsOf = (scene: Scene, names: InstallNames): Column<Item<'list_installs'>>[] => [
  {
    label: 'Install',
    value: ({ id, order_id }) => {
      const order = names.orders.find(one => one.id === order_id)
      const path = `${scene.root}/installs/${id}`
      if (!order) {
        return (
          <a href={path}>
            <code>{id}</code>
          </a>
        )
      }
      return (
        <>
          <a href={path}>{order.name}</a>
          <p class="hint">{order.reference}</p>
        </>
      )
    },
  },
  { label: 'State', value: ({ state }) => <InstallBadge state={state} /> },
  {
    label: 'Subscription',
    value: ({ subscription }) => (subscription ? <SubscriptionBadge state={subscription.state} /> : '–'),
  },
  {
    label: 'Order',
    isExtra: true,
    value: install => <a href={orderPath(scene, install)}>View order</a>,
  },
  {
    label: 'Cluster',
    isExtra: true,
    value: ({ cluster_id, workspace_id }) => {
      if (!cluster_id) return '–'
      const cluster = names.clusters.find(({ id }) => id === cluster_id)
      const text = cluster ? cluster.name : <code>{cluster_id}</code>
      // Another workspace's cluster is visible only to its members.
      return workspace_id === scene.workspace.id ? (
        <a href={`${scene.root}/clusters/${cluster_id}`}>{text}</a>
      ) : (
        text
      )
    },
  },
  { label: 'Started', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
  {
    label: 'Removed',
    isExtra: true,
    value: ({ removed_at }) => <When at={removed_at} now={scene.now} />,
  },
]
