// The history of an order: from its events, and from the order itself where there are none.
import { offers } from '@svc/contract/offers/offers'
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, test } from 'vitest'
import type { Order } from '../../../../src/web/kit/orders/order.ts'
import { type Event, History, historyOf } from '../../../../src/web/console/orders/history.tsx'
import { lateText } from '../../../../src/web/console/orders/late-step.ts'
import { permits, stepNames, whoMay } from '../../../../src/web/console/orders/steps.ts'

const order = {
  id: 'order_1',
  state: 'completed',
  seller_workspace_id: 'ws_seller',
  workspace_id: 'ws_customer',
  ordered_by: { id: 'user_c', email: 'grace@globex.example' },
  created_at: 1000,
  updated_at: 4000,
} as Order

const nobody = { id: null, name: null, credential_id: null, workspace_id: null }
const by = {
  customer: { ...nobody, kind: 'user', workspace_id: 'ws_customer' },
  seller: { ...nobody, kind: 'user', id: 'user_s', name: 'ada@acme.example', workspace_id: 'ws_seller' },
  token: { ...nobody, kind: 'api_token', id: 'tok_1', name: 'CI', workspace_id: 'ws_seller' },
  stripe: { ...nobody, kind: 'system', id: 'stripe' },
  clock: { ...nobody, kind: 'system', id: 'end_orders' },
} as const

const event = (type: string, actor: keyof typeof by, before?: string) =>
  ({
    id: `evt_${type}`,
    type: `orders.${type}`,
    created_at: 2000,
    actor: by[actor],
    changes: before ? { state: { before, after: type } } : null,
  }) as unknown as Event

const told = (...events: Event[]) => historyOf(order, events, 'user_s').map(({ text, by }) => [text, by])

test('says what happened, by whom, of the customer’s side by the address that ordered', () => {
  const events = [
    event('created', 'customer'),
    event('awaiting_approval', 'customer', 'open'),
    event('awaiting_checkout', 'seller', 'awaiting_approval'),
    event('ends_soon', 'clock'),
    event('completed', 'token', 'awaiting_checkout'),
  ]
  expect(told(...events)).toEqual([
    ['Order placed', 'grace@globex.example'],
    ['Details submitted', 'grace@globex.example'],
    ['Approved', 'ada@acme.example'],
    ['Expires in 30 minutes', undefined],
    ['Payment confirmed, install started', 'API token “CI”'],
  ])
})

test.each([
  ['completed', 'stripe', 'expired', ['Late payment received, install started', 'Stripe']],
  ['completed', 'customer', 'open', ['Details submitted, install started', 'grace@globex.example']],
] as const)('%s by %s after %s', (type, actor, before, entry) => {
  expect(told(event('created', 'customer'), event(type, actor, before)).at(-1)).toEqual(entry)
})

test('without events it has how the order began and what it is now', () => {
  expect(historyOf(order, [], '').map(({ text, at }) => [text, at])).toEqual([
    ['Order placed', 1000],
    ['Install started', 4000],
  ])
})

test('events that have not arrived yet are made up for', () => {
  expect(told(event('created', 'customer')).map(([text]) => text)).toEqual([
    'Order placed',
    'Install started',
  ])
})

test('names are text', () => {
  const entries = historyOf({ ...order, ordered_by: { id: 'x', email: '<b>@a.example' } }, [], '')
  expect(renderToString(h(History, { entries, now: 5000 }))).not.toContain('<b>')
})

describe('a late step', () => {
  test('names who was first', () => {
    const entries = historyOf(
      order,
      [event('created', 'customer'), event('completed', 'token', 'awaiting_approval')],
      '',
    )
    expect(lateText('reject', entries, 2060)).toBe(
      'This order has already changed: approved, install started by API token “CI”, 1 minute ago. “Reject” wasn’t applied.',
    )
  })

  test('says “you” to who was', () => {
    const entries = historyOf(order, [event('completed', 'seller', 'awaiting_approval')], 'user_s')
    expect(lateText('approve', entries, 2000)).toContain('install started by you, just now.')
  })
})

test('buttons follow the roles of the operations', () => {
  for (const name of stepNames) {
    const member = { kind: 'session', id: 's', user: 'u', workspace: 'ws_seller', role: 'member' } as const
    expect(permits(name, member)).toBe(true)
    expect(permits(name, { kind: 'internal', id: 'x', workspace: 'ws_seller' })).toBe(false)
    expect(whoMay(name)).toBe('owners, admins and members')
  }
  expect(offers.operations.approve_order.access.roles).toEqual(['owner', 'admin', 'member'])
})
