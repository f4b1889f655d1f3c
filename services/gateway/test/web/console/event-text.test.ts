// Who did it, as a workspace may know: of another one's people it reads on which side of the order they are.
import { expect, test } from 'vitest'
import { byWhom, eventText } from '../../../src/web/console/activity/event-text.ts'

const nobody = { kind: 'user', id: null, name: null } as unknown as Parameters<typeof byWhom>[0]['actor']
const sides = { workspace_id: 'ws_seller', customer_workspace_id: 'ws_customer' }

test.each([
  ['the seller reads', 'ws_seller', sides, 'by the customer'],
  ['the customer reads', 'ws_customer', sides, 'by the seller'],
  ['it has no sides', 'ws_seller', {}, 'by the other party'],
  ['its data is nothing', 'ws_seller', null, 'by the other party'],
])('where %s', (_what, id, data, said) => {
  expect(byWhom({ actor: nobody, data: data as never }, { workspace: { id } })).toBe(said)
})

test('a person of one’s own has a name, and what no one did has none', () => {
  const actor = { ...nobody, id: 'user_1', name: 'ada@people.example' } as typeof nobody
  const workspace = { id: 'ws_seller' }
  expect(byWhom({ actor, data: sides }, { workspace })).toBe('by ada@people.example')
  expect(byWhom({ actor: null as never, data: sides }, { workspace })).toBe('')
})

test.each([
  [{ kind: 'system', id: 'end_orders' }, 'by the system'],
  [{ kind: 'system', id: 'stripe' }, 'by Stripe'],
  [{ kind: 'internal', id: 'backoffice' }, 'by the operator'],
  [{ kind: 'api_token', id: 'tok_1', name: 'ci' }, 'by API token “ci”'],
])('%j: %s', (who, said) => {
  const actor = { ...nobody, ...who } as typeof nobody
  expect(byWhom({ actor, data: sides }, { workspace: { id: 'ws_seller' } })).toBe(said)
})

test.each([
  ['orders.awaiting_checkout', 'Waiting for payment'],
  ['orders.awaiting_approval', 'Waiting for approval'],
  ['offer_channels.policy_published', 'New terms published'],
  ['api_tokens.created', 'API token created'],
])('%s is “%s”', (type, text) => {
  expect(eventText(type)).toBe(text)
})
