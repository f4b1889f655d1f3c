import { offers } from '@svc/contract/offers/offers'
import { orderStates } from '@svc/contract/offers/orders'
import { stateText } from '../../kit/orders/state-badge.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import { Only, Tabs, withQuery } from '../ui/list.tsx'
import { ListFilters, listQueryOf } from '../ui/list-filters.tsx'
import { newestFirst, TwoEndedPager } from '../ui/two-ended.tsx'
import { Action, Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { readList } from '../../kit/visit/read-list.ts'
import { receivedOrderPages } from './order.tsx'
import { OrdersTable } from './orders-table.tsx'

const { list_orders } = offers.operations

export function orderPages(pages: ConsolePages) {
  receivedOrderPages(pages)
  pages.get('/orders', async scene => {
    const { query, filters } = ordersQuery(scene)
    const { relation, ...narrowing } = filters
    const side = relation === 'placed' ? 'placed' : 'received'
    const [list, products] = await Promise.all([
      scene.invoke(offers, 'list_orders', { query }),
      side === 'received' ? readList(asked => scene.invoke(offers, 'list_products', { query: asked })) : [],
    ])
    const { offer_id, customer_id } = narrowing
    const isFiltered = Object.keys(narrowing).length > 0
    return scene.show(
      <ConsolePage scene={scene} title="Orders" part="/orders">
        <PageHead title="Orders">
          <Action href={`${scene.root}/orders.csv?${new URLSearchParams(filters)}`} icon="download">
            Export CSV
          </Action>
        </PageHead>
        <Tabs
          scene={scene}
          label="Sides"
          name="relation"
          choices={[
            ['received', 'Received'],
            ['placed', 'Placed'],
          ]}
        />
        <Tabs
          scene={scene}
          label="States"
          name="state"
          choices={[['', 'All'], ...orderStates.map(one => [one, stateText(one)] as const)]}
        />
        {offer_id && (
          <p class="notice">
            Orders from{' '}
            <a class="long" href={`${scene.root}/offers/${offer_id}`}>
              {offer_id}
            </a>
            . <a href={withQuery(scene, { offer_id: undefined })}>Clear filter</a>
          </p>
        )}
        {customer_id && <Only scene={scene} name="customer_id" id={customer_id} />}
        <ListFilters
          scene={scene}
          path="/orders"
          schema={list_orders.query}
          textHint="Reference, customer"
          selects={[['product_id', 'Product', products]]}
        />
        <Card name="orders">
          {list.data.length > 0 ? (
            <OrdersTable scene={scene} orders={newestFirst(scene, list)} side={side} />
          ) : (
            <Empty
              icon="cart"
              title={isFiltered ? 'No orders match these filters' : 'No orders yet'}
              action={
                isFiltered
                  ? { href: `${scene.root}/orders?relation=${side}`, label: 'Clear filters' }
                  : none[side].path && { href: scene.root + none[side].path, label: 'View offers' }
              }
            >
              {list.next_cursor
                ? 'No matches on this page. Try the next page.'
                : isFiltered
                  ? undefined
                  : none[side].text}
            </Empty>
          )}
        </Card>
        <TwoEndedPager scene={scene} list={list} idOf={({ id }) => id} />
        <CommandLines call={callOf(scene, list_orders, { query })} />
      </ConsolePage>,
    )
  })
  pages.get('/orders.csv', scene => scene.stream(offers, 'list_orders', ordersQuery(scene).filters))
}

/** Sellers use this page most. */
function ordersQuery(scene: Scene) {
  const { query, filters } = listQueryOf(scene, list_orders.query)
  const { relation = 'received' } = filters
  return { query: { ...query, relation }, filters: { ...filters, relation } as Record<string, string> }
}

const none = {
  received: {
    text: 'Orders appear here when a customer orders from one of your offers. Orders your team placed are under “Placed”.',
    path: '/offers',
  },
  placed: {
    text: 'Orders your team places through an offer link appear here.',
    path: undefined,
  },
} as const
