// Who did it, as a workspace may know: of another one's people it reads on which side of the order they are.
import { events } from '@svc/contract/events'
import { expect, test } from 'vitest'
import { byWhom, eventText, ownTypes, sentenceOf } from '../../../src/web/console/activity/event-text.ts'

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

const event = (type: string, more: object = {}) =>
  ({ type, aggregate_id: 'ws_1/thing_1', actor: null, data: {}, ...more }) as never
const inWorkspace = { workspace: { id: 'ws_1' } }

test.each(Object.keys(events))('%s is a sentence', type => {
  const actor = { kind: 'user', id: 'user_1', name: 'ada@people.example' }
  const said = sentenceOf(event(type, { actor }), inWorkspace, { thing_1: 'X' })
  const parts = said.replace(/^ada@people\.example /, '').replace(/\bX\b/, '')
  // Words of people: no part of the type as it is written there, and no place that was not filled.
  expect(parts).toMatch(/^[A-Za-z][A-Za-z’ -]+$/)
  expect(said).toMatch(/^(ada@people\.example |[A-Z])/)
})

test('a sentence says who did what to what, with its name where that is known', () => {
  const actor = { kind: 'user', id: 'user_1', name: 'ada@people.example' }
  const said = (type: string, more: object, names = {}) =>
    sentenceOf(event(type, { actor, ...more }), inWorkspace, names)
  const created = { aggregate_id: 'clus_1' }
  expect(said('clusters.created', created, { clus_1: 'Frankfurt' })).toBe(
    'ada@people.example created cluster Frankfurt',
  )
  expect(said('clusters.created', created)).toBe('ada@people.example created cluster clus_1')
  expect(said('members.removed', { aggregate_id: 'ws_1/user_1' })).toBe(
    'ada@people.example left the workspace',
  )
  const system = { actor: { kind: 'system', id: 'end_tokens_of_creator', name: null } }
  expect(said('api_tokens.revoked', { aggregate_id: 'tok_1', ...system }, { tok_1: '$& ci' })).toBe(
    'The system revoked API token $& ci',
  )
})

test('the types to choose from are those that a workspace can find', () => {
  expect(ownTypes(false)).not.toContain('sign_ins.succeeded')
  expect(ownTypes(false)).not.toContain('api_tokens.refused')
  expect(ownTypes(false)).not.toContain('signing_keys.rotated')
  expect(ownTypes(true)).toContain('sign_ins.succeeded')
  expect(ownTypes(true)).toContain('api_tokens.refused')
})
