import type { Operation } from '@svc/contract/core/operation'
import { services } from '@svc/contract/services'
import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import type { Client } from '../src/client.ts'
import {
  ApiResponseError,
  ConnectionError,
  DeadlineExceededError,
  InvalidResponseError,
} from '../src/errors.ts'
import { isRepeatable } from '../src/retry.ts'
import {
  type Answering,
  cutOff,
  drop,
  hang,
  json,
  realFetch,
  refusal,
  scene,
  stall,
  text,
} from './scripted-server.ts'

const done = json(200, { data: [], next_cursor: null })
const busy = refusal(503, 'Unavailable', 50301, { 'retry-after': '1' })
const inFlight = refusal(409, 'Conflict', 40902)

type Call = (client: Client) => Promise<unknown>
const list: Call = client => client.offers.list_installs()
const create: Call = client => client.offers.create_offer({ body: { product_id: 'prod_a' } })
const update: Call = client =>
  client.compute.update_compute_settings({
    params: { id: 'clus_a' },
    headers: { 'if-match': 'e' },
    body: { max_machines: 1 },
  })
const rotateToken: Call = client =>
  client['auth-tokens'].rotate_api_token({ params: { id: 'tok_a' }, body: {} })
const revokeToken: Call = client => client['auth-tokens'].revoke_api_token({ params: { id: 'tok_a' } })

const repeatable: [string, Call][] = [
  ['a read', list],
  ['a POST with a key', create],
  ['a PATCH with an etag', update],
]
const notRepeatable: [string, Call][] = [
  ['a POST without a key', rotateToken],
  ['a DELETE', revokeToken],
]
const all = [...repeatable, ...notRepeatable]

/** Faults that leave open whether the request was executed, and their names. */
const unknownOutcome: [string, Answering, new (...input: never[]) => Error][] = [
  ['a connection that is dropped', drop, ConnectionError],
  ['an answer that breaks off', cutOff, ConnectionError],
  ['no answer', hang, DeadlineExceededError],
  ['an answer that stalls', stall, DeadlineExceededError],
  ['JSON that ends early', text(200, '{"data":['), InvalidResponseError],
  ['a 504', refusal(504, 'Timeout', 50401), ApiResponseError],
  ["a proxy's 502", text(502, '<h1>Bad Gateway</h1>'), ApiResponseError],
  ["a proxy's 503", text(503, '<h1>Unavailable</h1>', { 'retry-after': '1' }), ApiResponseError],
]
const attemptTimeoutMs = 500

test.each(unknownOutcome)('after %s only what may be repeated is repeated', (_, fault, kind) =>
  onOwnClock(async clock => {
    /** The result of the call, and how often it was sent. */
    const outcomeOf = async ([name, call]: [string, Call]) => {
      let heads = 0
      const { client, received } = await scene([fault, done], {
        attemptTimeoutMs,
        fetch: (...request) => realFetch(...request).finally(() => heads++),
      })
      const outcome = call(client).catch(error => error)
      if (kind === DeadlineExceededError) {
        await waitUntil('silence', () => received.length === 1 && heads === (fault === stall ? 1 : 0))
        clock.tick(attemptTimeoutMs)
      }
      return { name, outcome: await outcome, sent: received.length }
    }
    for (const one of repeatable)
      expect(await outcomeOf(one)).toMatchObject({ name: one[0], outcome: { status: 200 }, sent: 2 })
    for (const one of notRepeatable)
      expect(await outcomeOf(one)).toEqual({ name: one[0], outcome: expect.any(kind), sent: 1 })
  }),
)

test('a read is safe to repeat even if the contract does not say so', () => {
  const operation = (method: 'GET' | 'POST'): Operation => ({
    ...services.offers.operations.list_installs,
    http: { method, path: '/', status: 200 },
    safe: false,
  })
  expect(isRepeatable(operation('GET'), new Headers())).toBe(true)
  expect(isRepeatable(operation('POST'), new Headers())).toBe(false)
})

test.each(all)('after a 503 of the API %s is repeated: nothing was executed', async (_, call) => {
  const own = json(503, { _tag: 'ComputeSettingsQueryError', cause: 'x' }, { 'retry-after': '1' })
  const { client, received, waits } = await scene([busy, own, done])
  expect(await call(client)).toMatchObject({ status: 200 })
  expect(received).toHaveLength(3)
  expect(waits).toEqual([1200, 1400])
})

test.each<[string, Answering, number]>([
  ['a 400', refusal(400, 'Validation', 40002), 400],
  ['a 401', refusal(401, 'Unauthorized', 40102), 401],
  ['a 404', refusal(404, 'NotFound', 40402), 404],
  ['a key reused', refusal(409, 'Conflict', 40901), 409],
  ['a 429 that does not say when', refusal(429, 'RateLimited', 42901), 429],
  ['a 500', refusal(500, 'Internal', 50001), 500],
  [
    'a 503 for longer than the call may take',
    refusal(503, 'Unavailable', 50301, { 'retry-after': '30' }),
    503,
  ],
  ['a 429 for longer', refusal(429, 'RateLimited', 42901, { 'retry-after': '30' }), 429],
])('after %s nothing is repeated', async (_, answering, status) => {
  const { client, received, waits } = await scene([answering, done])
  await expect(create(client)).rejects.toMatchObject({ status })
  expect(received).toHaveLength(1)
  expect(waits).toEqual([])
})

test.each<[string, Answering]>([
  ['a 429 for a short time', refusal(429, 'RateLimited', 42901, { 'retry-after': '2' })],
  ['an earlier attempt that is still in progress', inFlight],
])('after %s the call is repeated', async (_, answering) => {
  const { client, received } = await scene([answering, done])
  expect(await create(client)).toMatchObject({ status: 200 })
  expect(received).toHaveLength(2)
})

test('every attempt of a call is the same request, and every call has its own key', async () => {
  const { client, received } = await scene([busy, drop, inFlight, done])
  await create(client)
  await create(client)
  const [key] = received.map(({ headers }) => headers['idempotency-key'])
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  const [first, ...others] = received.slice(0, 4)
  expect(first).toMatchObject({ method: 'POST', url: '/v1/offers', body: '{"product_id":"prod_a"}' })
  for (const { body, headers } of others) {
    expect({ body, key: headers['idempotency-key'] }).toEqual({ body: first?.body, key })
  }
  expect(received).toHaveLength(5)
  expect(received[4]?.headers['idempotency-key']).toMatch(/^[0-9a-f]{32}$/)
  expect(received[4]?.headers['idempotency-key']).not.toBe(key)
})

test("the caller's own key is kept, and an operation that takes none gets none", async () => {
  const { client, received } = await scene([done])
  await client.offers.create_offer({ headers: { 'idempotency-key': 'mine' }, body: { product_id: 'prod_a' } })
  await rotateToken(client)
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', undefined])
})

test('a token function is called before every attempt', async () => {
  let asked = 0
  const { client, received } = await scene([busy, done], { token: async () => `t${++asked}` })
  await list(client)
  expect(received.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
})

test('with the real clock, too, a call survives a fault', async () => {
  const { client, received } = await scene([drop, done], { clock: undefined })
  expect(await list(client)).toMatchObject({ status: 200 })
  expect(received).toHaveLength(2)
})
