// What a request costs on the bus: one look-up of its credential, the operation, and the address only if it matters.
import { type CallBus, type CallRequest, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import type { CodeName } from '@svc/contract/core/error-codes'
import { refusal } from '@svc/contract/core/errors'
import { freePort } from '@svc/local/free-port'
import { waitUntil } from '@svc/local/wait-until'
import { createLog } from '@svc/runtime/log'
import { everything } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createResolvers } from '../../../src/edge/admit/credentials.ts'
import { createServer } from '../../../src/server.ts'
import { type Answered, ask, expectRefusal, refused } from '../../answers.ts'
import { exchange, rawRequest } from '../../raw-http.ts'
import { httpOperations, prepareCluster, sampleOf } from '../../samples.ts'

/** Operations for which the caller's verified address decides. */
const byAddress = new Set(['GET /i/{short_hash}', 'POST /i/{short_hash}/orders'])
const openToAll = new Set(['GET /i/{short_hash}'])
/** They look at no credential of a caller. */
const withoutCaller = new Set(
  httpOperations.flatMap(({ name, operation: { access } }) => (access.credentials.length === 0 ? name : [])),
)
const maxInFlight = 4

let stack: Product
let bus: Bus
let gateway: ReturnType<typeof createServer>
let base_url: string
let etag: string
const sent: CallRequest[] = []
/** What happens to the next look-ups of an address. Later ones are answered. */
let failures: CodeName[] = []
/** While there is one, operations of offers wait for it. */
let held: Promise<void> | undefined

beforeAll(async () => {
  stack = await joinProduct()
  etag = await prepareCluster(stack.dev)
  const { owner, stranger } = stack.dev
  await stack.sql`update auth_tokens.users set verified_at = now() where email = ${owner.email}`
  await stack.sql`update auth_tokens.users set verified_at = null where email = ${stranger.email}`
  const log = createLog('test', 'silent')
  bus = await connectBus(stack.stack.bus('gateway'), log)
  const overBus = createCall(bus)
  const call: CallBus = async request => {
    sent.push(request)
    const failure = request.subject === 'rpc.auth-tokens.read_email' && failures.shift()
    if (failure) throw refusal(failure)
    if (request.subject.startsWith('rpc.offers.')) await held
    return overBus(request)
  }
  gateway = createServer({
    call,
    ...createResolvers({
      call,
      verifyToken: async () => ({
        kind: 'outside',
        email: owner.email,
        auth_time: Math.floor(Date.now() / 1000),
      }),
      maxPending: 100,
    }),
    connected: () => true,
    publicUrl: 'http://localhost',
    trustedProxies: [],
    signingKeys: () => undefined,
    maxInFlight,
    log,
  })
  base_url = `${await gateway.listen({ port: await freePort(), host: '127.0.0.1' })}/v1`
})
afterAll(async () => {
  await gateway?.close()
  await bus?.close()
  await stack?.stop()
})
beforeEach(() => {
  failures = []
})

const credentials = {
  session: () => stack.dev.owner.session_token,
  jwt: () => 'eyJh.eyJh.eyJh',
  api_token: () => stack.dev.api_token,
}
type Kind = keyof typeof credentials

async function request(name: string, method: string, kind?: Kind) {
  const sample = sampleOf(name, { dev: stack.dev, etag })
  sent.length = 0
  const headers = {
    ...sample.headers,
    ...(sample.body !== undefined && { 'content-type': 'application/json' }),
    ...(kind && { authorization: `Bearer ${credentials[kind]()}`, 'svc-context': stack.dev.workspace_id }),
  }
  // In one piece: of a body that comes later the caller is admitted again.
  const bytes = rawRequest({
    method,
    target: `/v1${sample.path}`,
    headers: Object.entries(headers).map(([header, value]) => `${header}: ${value}`),
    ...(sample.body !== undefined && { body: JSON.stringify(sample.body) }),
  })
  const { answers } = await exchange(base_url, bytes, { answers: 1 })
  const [answer] = answers as [Answered]
  return { answer, success: sample.status, subjects: sent.map(({ subject }) => subject.replace('rpc.', '')) }
}

const callerOf = () =>
  JSON.parse(sent.at(-1)?.headers['Svc-Caller'] ?? '{}') as { email?: string; kind: string }

const kinds = [...(Object.keys(credentials) as Kind[]), undefined]
// In `npm test` each operation is asked in one of the ways in turn, and those that differ from the others in all.
const cells = httpOperations.flatMap((one, turn) =>
  kinds
    .filter(
      (_, at) =>
        everything || at === turn % kinds.length || byAddress.has(one.name) || withoutCaller.has(one.name),
    )
    .map(kind => ({ ...one, kind })),
)
// The JWT has no session of its own: none to confirm, and it would end the one that the others are sent with.
const ofTheSession = ['DELETE /sessions', 'POST /sessions/current/confirmation']
const harmless = cells.filter(({ name, kind }) => kind && (!ofTheSession.includes(name) || kind !== 'jwt'))
test.each(harmless)('$name with the credential $kind', async ({ name, method, kind }) => {
  const { answer, success, subjects } = await request(name, method, kind)
  const lookUp = withoutCaller.has(name) ? [] : ['auth-tokens.resolve_credentials']
  if (answer.status !== success) {
    // Not admitted.
    expect([kind, answer.status, subjects]).toEqual(['api_token', 403, lookUp])
    return
  }
  const address = byAddress.has(name) && kind !== 'api_token' ? ['auth-tokens.read_email'] : []
  expect(subjects).toEqual([
    ...lookUp,
    ...address,
    expect.stringMatching(/^(offers|auth-tokens|compute|activity)\.\w+$/),
  ])
  expect(callerOf()).toMatchObject({ kind: withoutCaller.has(name) ? 'anonymous' : kind })
  expect(callerOf().email).toBe(address.length > 0 ? stack.dev.owner.email : undefined)
})

test.each(cells.filter(({ kind }) => !kind))('$name without a credential', async ({ name, method }) => {
  const { answer, subjects } = await request(name, method)
  if (!openToAll.has(name) && !withoutCaller.has(name)) {
    expectRefusal(answer, refused('Unauthorized', 40101))
    expect(subjects).toEqual([])
  } else {
    expect(subjects).toEqual([expect.stringMatching(/^offers\.\w+$/)])
    expect(callerOf()).toEqual({ kind: 'anonymous', id: 'anonymous' })
  }
})

const resolve = () => request('GET /i/{short_hash}', 'GET', 'session')
const operation = 'offers.resolve_offer'

test('a person without a verified address is forwarded without one', async () => {
  const { stranger } = stack.dev
  sent.length = 0
  const path = sampleOf('GET /i/{short_hash}', { dev: stack.dev, etag }).path
  await ask(base_url + path, { headers: { authorization: `Bearer ${stranger.session_token}` } })
  expect(sent.map(({ subject }) => subject)).toContain('rpc.auth-tokens.read_email')
  expect(callerOf()).toEqual({
    kind: 'session',
    id: expect.any(String),
    user: expect.any(String),
    auth_time: expect.any(Number),
    name: expect.any(String),
  })
})

test.each<[string, CodeName[]]>([
  ['auth-tokens cannot be reached', ['unavailable']],
  ['auth-tokens is at its limit', ['overloaded']],
  ['every replica swallows it', ['timeout', 'timeout', 'timeout', 'timeout']],
])('if the address cannot be looked up, the operation is not called: %s', async (_, outcomes) => {
  failures = [...outcomes]
  const { answer, subjects } = await resolve()
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('1')
  expect(subjects).not.toContain(operation)
  expect(failures).toEqual([])
})

test('a look-up that a frozen replica swallowed is sent again to another', async () => {
  failures = ['timeout', 'timeout']
  const { answer, subjects } = await resolve()
  expect([answer.status, subjects.at(-1)]).toEqual([404, operation])
  expect(callerOf().email).toBe(stack.dev.owner.email)
})

test('requests without a credential leave half of the slots to the others', async () => {
  let release = () => {}
  held = new Promise(resolve => {
    release = resolve
  })
  try {
    sent.length = 0
    const url = `${base_url}/i/111111111111`
    const headers = { authorization: `Bearer ${stack.dev.api_token}` }
    const inProgress = () => sent.filter(({ subject }) => subject === `rpc.${operation}`).length
    const anonymous = Array.from({ length: maxInFlight / 2 }, () => ask(url))
    await waitUntil('half of the places', () => inProgress() === maxInFlight / 2)
    expectRefusal(await ask(url), refused('Unavailable', 50302))
    const known = Array.from({ length: maxInFlight / 2 }, () => ask(url, { headers }))
    await waitUntil('all places', () => inProgress() === maxInFlight)
    expectRefusal(await ask(url, { headers }), refused('Unavailable', 50302))
    release()
    const answers = await Promise.all([...anonymous, ...known])
    expect(answers.map(({ status }) => status)).toEqual(Array(maxInFlight).fill(404))
    expect((await ask(url)).status).toBe(404)
  } finally {
    release()
    held = undefined
  }
})
