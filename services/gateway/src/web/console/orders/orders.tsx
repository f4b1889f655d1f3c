import { offers } from '@svc/contract/offers/offers'
import { orderStates } from '@svc/contract/offers/orders'
import { stateText } from '../../kit/orders/state-badge.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages } from '../shell/scene.ts'
import { Pager, Tabs, withQuery } from '../ui/list.tsx'
import { Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { queryOf } from '../ui/query-of.ts'
import { receivedOrderPages } from './order.tsx'
import { OrdersTable } from './orders-table.tsx'

export function orderPages(pages: ConsolePages) {
  receivedOrderPages(pages)
  pages.get('/orders', async scene => {
    const asked = queryOf(scene, offers.operations.list_orders.query)
    // Sellers use this page most.
    const query = { relation: 'received', ...asked }
    const list = await scene.invoke(offers, 'list_orders', { query })
    const { relation, state, offer_id } = query as Record<string, string>
    const isFiltered = state !== undefined || offer_id !== undefined
    const side = relation === 'placed' ? none.placed : none.received
    return scene.show(
      <ConsolePage scene={scene} title="Orders" part="/orders">
        <PageHead title="Orders" />
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
        <Card name="orders">
          {list.data.length > 0 ? (
            <OrdersTable
              scene={scene}
              orders={list.data}
              side={relation === 'placed' ? 'placed' : 'received'}
            />
          ) : (
            <Empty
              icon="cart"
              title={isFiltered ? 'No orders match these filters' : 'No orders yet'}
              action={
                isFiltered
                  ? {
                      href: withQuery(scene, { state: undefined, offer_id: undefined }),
                      label: 'Clear filters',
                    }
                  : side.action && { href: scene.root + side.action.path, label: side.action.label }
              }
            >
              {isFiltered ? undefined : side.text}
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={list.next_cursor} />
        <CommandLines call={callOf(scene, offers.operations.list_orders, { query })} />
      </ConsolePage>,
    )
  })
}

const none = {
  received: {
    text: 'Orders appear here when a customer orders from one of your offers. Orders your team placed are under “Placed”.',
    action: { path: '/offers', label: 'View offers' },
  },
  placed: {
    text: 'Orders your team places through an offer link appear here.',
    action: undefined,
  },
} as const
