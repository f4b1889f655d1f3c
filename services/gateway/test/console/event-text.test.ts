import { describe, expect, test } from 'vitest'
import { byWhom, eventText } from '../../src/console/activity/event-text.ts'

const scene = { workspace: { id: 'ws_own' } }
const unknown = { kind: 'user', id: null, name: null, credential_id: null, workspace_id: null } as const
const ofOrder = (customer_workspace_id: string) => ({ workspace_id: 'ws_seller', customer_workspace_id })

test.each([
  ['orders.awaiting_checkout', 'Order awaiting payment'],
  ['orders.awaiting_approval', 'Order awaiting approval'],
  ['api_tokens.created', 'API token created'],
])('%s is "%s"', (type, text) => {
  expect(eventText(type)).toBe(text)
})

describe('who is not named is the other side', () => {
  test.each([
    ['of an order here', ofOrder('ws_other'), 'by the customer'],
    ['of an order of ours', ofOrder('ws_own'), 'by the seller'],
    ['of something else', { workspace_id: 'ws_own' }, 'by the other party'],
  ])('%s', (_, data, text) => {
    expect(byWhom({ actor: unknown, data }, scene)).toBe(text)
  })
})

test.each([
  [{ ...unknown, kind: 'system', id: 'end_orders' } as const, 'by the system'],
  [{ ...unknown, kind: 'system', id: 'stripe' } as const, 'by Stripe'],
  [{ ...unknown, kind: 'api_token', id: 'tok_1', name: 'ci' } as const, 'by API token “ci”'],
  [{ ...unknown, id: 'usr_1', name: 'ada@people.example' }, 'by ada@people.example'],
  [null, ''],
])('%j did it: "%s"', (actor, text) => {
  expect(byWhom({ actor, data: ofOrder('ws_other') }, scene)).toBe(text)
})
