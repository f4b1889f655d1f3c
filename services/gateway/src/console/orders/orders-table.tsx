import { sellerPath } from '../../pages/order/parties.ts'
import { StateBadge } from '../../pages/order/state-badge.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { Table } from '../ui/list.tsx'
import { When } from '../ui/when.tsx'

interface OrdersTableProps {
  readonly scene: Scene
  readonly orders: readonly Item<'list_orders'>[]
  /** On which one the workspace is: it may be on both. */
  readonly side: 'placed' | 'received'
}

export const OrdersTable = ({ scene, orders, side }: OrdersTableProps) => (
  <Table
    label="Orders"
    items={orders}
    keyOf={({ id }) => id}
    columns={[
      {
        label: 'Order',
        value: ({ id, name, reference }) => (
          <>
            <a href={side === 'placed' ? `/orders/${id}` : sellerPath(id)}>{name}</a>
            <p class="hint">{reference}</p>
          </>
        ),
      },
      { label: 'State', value: ({ state }) => <StateBadge state={state} /> },
      {
        label: 'Install',
        isExtra: true,
        value: ({ install_id }) =>
          install_id ? <a href={`${scene.root}/installs/${install_id}`}>See the install</a> : '–',
      },
      { label: 'By', value: ({ ordered_by }) => ordered_by.email ?? 'API token' },
      { label: 'Placed', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
      {
        label: 'Changed',
        isExtra: true,
        value: ({ updated_at }) => <When at={updated_at} now={scene.now} />,
      },
    ]}
  />
)
