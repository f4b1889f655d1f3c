import { Fragment } from 'preact'
import { maxCountedOrders } from '@svc/contract/offers/customers/list-customers'
import { offers } from '@svc/contract/offers/offers'
import { money, priceText } from '../../kit/offers/terms-view.tsx'
import { Card, Empty, PageHead } from '../../kit/ui/parts.tsx'
import { When } from '../../kit/ui/when.tsx'
import { callOf } from '../forms/call-of.ts'
import { CommandLines } from '../forms/command-lines-view.tsx'
import { ConsolePage } from '../shell/console-page.tsx'
import type { ConsolePages, Scene } from '../shell/scene.ts'
import type { Item } from '../ui/answers.ts'
import { type Column, Pager, Table } from '../ui/list.tsx'
import { queryOf } from '../ui/query-of.ts'
import { SubscriptionBadge } from '../installs/subscription.tsx'
import { CustomerText } from './customer-text.tsx'

const { list_customers } = offers.operations

export function customerPages({ get }: ConsolePages) {
  get('/customers', async scene => {
    const query = { limit: '100', ...queryOf(scene, list_customers.query) }
    const list = await scene.invoke(offers, 'list_customers', { query })
    return scene.show(
      <ConsolePage scene={scene} title="Customers" part="/customers">
        <PageHead title="Customers" text="Everybody who ordered from you, the newest workspace first." />
        <Card name="customers">
          {list.data.length > 0 ? (
            <Table label="Customers" items={list.data} keyOf={({ id }) => id} columns={columnsOf(scene)} />
          ) : (
            <Empty
              icon="user"
              title="No customers yet"
              action={{ href: `${scene.root}/offers`, label: 'View offers' }}
            >
              Whoever orders from one of your offers appears here.
            </Empty>
          )}
        </Card>
        <Pager scene={scene} next={list.next_cursor} />
        <CommandLines call={callOf(scene, list_customers, { query })} />
      </ConsolePage>,
    )
  })
}

const columnsOf = (scene: Scene): Column<Item<'list_customers'>>[] => [
  {
    label: 'Customer',
    value: ({ id, customer, email }) => <CustomerText customer={customer} email={email} otherwise={id} />,
  },
  {
    label: 'Orders',
    isNumber: true,
    value: ({ id, orders }) => (
      <a href={`${scene.root}/orders?customer_id=${id}`}>
        {orders}
        {orders === maxCountedOrders && '+'}
        <span class="unseen"> orders</span>
      </a>
    ),
  },
  { label: 'Installs', isNumber: true, value: ({ installs }) => installs },
  {
    label: 'Value',
    isNumber: true,
    value: ({ value }) =>
      value.length === 0 ? (
        '–'
      ) : (
        <span class="amount">
          {value.map(one => (
            <span key={one.currency}>{money(one)}</span>
          ))}
        </span>
      ),
  },
  {
    label: 'Pays',
    isNumber: true,
    value: ({ subscriptions }) =>
      subscriptions.length === 0 ? (
        '–'
      ) : (
        <span class="amount">
          {subscriptions.map(({ state, ...price }) => (
            <Fragment key={`${state} ${price.currency} ${price.interval}`}>
              <span>{priceText({ commercial_mode: 'paid', price })}</span>
              {state !== 'active' && <SubscriptionBadge state={state} />}
            </Fragment>
          ))}
        </span>
      ),
  },
  {
    label: 'Your note',
    isExtra: true,
    value: ({ internal_note }) => <span class="long">{internal_note ?? '–'}</span>,
  },
  {
    label: 'First order',
    isExtra: true,
    value: ({ first_ordered_at }) => <When at={first_ordered_at} now={scene.now} />,
  },
  { label: 'Last order', value: ({ last_ordered_at }) => <When at={last_ordered_at} now={scene.now} /> },
]
