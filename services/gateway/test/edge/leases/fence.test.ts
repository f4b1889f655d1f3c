// A gateway whose machine stood still forwards what it admitted before: the service refuses it, and the gateway looks the
// credential up and sends the request once more.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { header } from '@svc/bus/wire'
import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import { createApiToken } from '@svc/runtime/credential'
import { createLog } from '@svc/runtime/log'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createResolvers } from '../../../src/edge/admit/credentials.ts'
import type { Answer, CachedAnswer, LeasedCache } from '../../../src/edge/leases/leased-cache.ts'
import { createServer } from '../../../src/server.ts'

let product: Product
let bus: Bus
let gateway: ReturnType<typeof createServer>
/** The subjects of what was sent, with until when it was admitted. */
let sent: [subject: string, admittedUntil: string | undefined][]
/** What the gateway keeps of any credential. */
let cached: CachedAnswer | undefined

const untilLater = Date.now() + 3_600_000

beforeAll(async () => {
  product = await joinProduct()
  const log = createLog('test', 'silent')
  bus = await connectBus(product.stack.bus('gateway'), log)
  const calls = createCall(bus)
  const call: CallBus = request => {
    sent.push([request.subject, request.headers?.[header.admittedUntil]])
    return calls(request)
  }
  const cache = {
    get: () => cached,
    generation: () => 0,
    set: (_key: string, answered: Answer) => {
      cached = { ...answered, until: untilLater }
    },
  } as unknown as LeasedCache
  gateway = createServer({
    call,
    ...createResolvers({
      call,
      verifyToken: () => Promise.reject(refusal('credential_invalid')),
      maxPending: 100,
      cache,
    }),
    connected: () => bus.connected,
    maxInFlight: 100,
    publicUrl: 'http://localhost',
    trustedProxies: [],
    signingKeys: () => [],
    log,
  })
})
afterAll(async () => {
  await gateway?.close()
  await bus?.close()
  await product?.stop()
})
beforeEach(() => {
  sent = []
  cached = undefined
})

const create = 'rpc.offers.create_offer'
const lookUp = 'rpc.auth-tokens.resolve_credentials'
const inThePast = () => Date.now() - 1

async function createOffer(token: string, notes: string) {
  const answer = await gateway.inject({
    method: 'POST',
    url: '/v1/offers',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: { product_id: product.dev.product_id, notes },
  })
  const [row] = await product.sql`select count(*)::int as count from offers.offers where notes = ${notes}`
  return { status: answer.statusCode, offers: row?.count as number }
}

const caller = (): Caller => ({
  kind: 'api_token',
  id: 'tok_cached',
  workspace: product.dev.workspace_id,
  role: 'member',
})

test('a cached answer that is good admits without a look-up, and says until when', async () => {
  cached = { caller: caller(), until: untilLater }
  expect(await createOffer(product.dev.api_token, 'admitted by a cached answer')).toEqual({
    status: 201,
    offers: 1,
  })
  expect(sent).toEqual([[create, String(untilLater)]])
})

test('one that is past is refused by the service, looked up and sent once more: executed once', async () => {
  const past = inThePast()
  cached = { caller: caller(), until: past }
  expect(await createOffer(product.dev.api_token, 'admitted too late')).toEqual({ status: 201, offers: 1 })
  expect(sent).toEqual([
    [create, String(past)],
    [lookUp, undefined],
    [create, String(untilLater)],
  ])
})

test('one that is past, of a credential that was revoked meanwhile, executes nothing: 401', async () => {
  cached = { caller: caller(), until: inThePast() }
  expect(await createOffer(createApiToken(), 'revoked meanwhile')).toEqual({ status: 401, offers: 0 })
  expect(sent.map(([subject]) => subject)).toEqual([create, lookUp])
})

test('what is looked up says until when as well, where its answer is cached', async () => {
  expect(await createOffer(product.dev.api_token, 'looked up')).toEqual({ status: 201, offers: 1 })
  expect(sent).toEqual([
    [lookUp, undefined],
    [create, String(untilLater)],
  ])
})

test('a client cannot say until when it is admitted, nor that it was not', async () => {
  const answer = await gateway.inject({
    method: 'GET',
    url: '/v1/installs',
    headers: {
      authorization: `Bearer ${product.dev.api_token}`,
      'svc-admitted-until': '1',
      'svc-not-admitted': '1',
    },
  })
  expect(answer.statusCode).toBe(200)
  expect(sent.map(([, until]) => until)).toEqual([undefined, String(untilLater)])
})
