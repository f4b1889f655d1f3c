import { StateBadge } from '../../kit/orders/state-badge.tsx'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { CustomerText } from '../customers/customer-text.tsx'
import type { Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Table } from '../ui/list.tsx'
import { When } from '../../kit/ui/when.tsx'

interface OrdersTableProps {
  readonly scene: Scene
  readonly orders: readonly Item<'list_orders'>[]
  readonly side: 'placed' | 'received'
  readonly isNarrow?: boolean
}

export const OrdersTable = ({ scene, orders, side, isNarrow }: OrdersTableProps) => (
  <Table
    label="Orders"
    items={orders}
    keyOf={({ id }) => id}
    columns={columnsOf({ scene, side, isNarrow }).filter(({ isExtra }) => !(isNarrow && isExtra))}
  />
)

type Orders = Column<Item<'list_orders'>>

const price: Orders = { label: 'Price', value: ({ terms }) => priceText(terms) }

const columnsOf = ({ scene, side, isNarrow }: Omit<OrdersTableProps, 'orders'>): Orders[] => [
  {
    label: 'Order',
    value: ({ id, reference }) => (
      <a href={side === 'placed' ? `/orders/${id}` : `${scene.root}/orders/${id}`}>{reference}</a>
    ),
  },
  {
    label: side === 'placed' ? 'Ordered by' : 'Customer',
    value: ({ customer, ordered_by }) => (
      <CustomerText customer={customer} email={ordered_by.email} otherwise="API token" />
    ),
  },
  { label: 'Product', isExtra: true, value: ({ name }) => name },
  ...(isNarrow ? [] : [price]),
  { label: 'State', value: ({ state }) => <StateBadge state={state} /> },
  {
    label: 'Install',
    isExtra: true,
    value: ({ install_id }) =>
      install_id ? <a href={`${scene.root}/installs/${install_id}`}>View install</a> : '–',
  },
  { label: 'Placed', value: ({ created_at }) => <When at={created_at} now={scene.now} /> },
]
