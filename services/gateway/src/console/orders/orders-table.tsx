import { StateBadge } from '../../pages/order/state-badge.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { Table } from '../ui/list.tsx'
import { When } from '../ui/when.tsx'

interface OrdersTableProps {
  readonly scene: Scene
  readonly orders: readonly Item<'list_orders'>[]
}

export const OrdersTable = ({ scene, orders }: OrdersTableProps) => (
  <Table
    label="Orders"
    items={orders}
    keyOf={({ id }) => id}
    columns={[
      {
        label: 'Order',
        value: ({ id, name, reference }) => (
          <>
            <a href={`${scene.root}/orders/${id}`}>{name}</a>
            <p class="hint">{reference}</p>
          </>
        ),
      },
      { label: 'State', value: ({ state }) => <StateBadge state={state} /> },
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
