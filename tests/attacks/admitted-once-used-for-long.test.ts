// Someone who is about to lose their credential begins a request while it is good and goes on later: a body that trickles, a wait
// for a slot, an answer in lines that is not read. Each was admitted once; 75 s after the revocation lines still came, and a
// token still made an offer.
import { addEvents } from '@svc/testing/add-events'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { newId } from '@svc/runtime/id'
import { waitUntil } from '@svc/local/wait-until'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type GatewayHere, startGatewayHere } from '../../services/gateway/test/gateway-here.ts'
import { exchange, rawRequest } from '../../services/gateway/test/raw-http.ts'
import { insertMember } from '@svc/testing/members'
import { sender } from '@svc/testing/stack/driven-stack'

let product: Product
let gateway: GatewayHere
/** The subjects of the calls that the gateway made. */
let calls: string[] = []
/** Requests that were counted against rate limits. */
let charged = 0
/** Runs before a call is sent. */
let before: (subject: string) => unknown

const audit = 'rpc.activity.list_audit_log'
const listOffers = 'rpc.offers.list_offers'
const createOffer = 'rpc.offers.create_offer'
const lookUp = 'rpc.auth-tokens.resolve_credentials'
const linesPerPage = 100

beforeAll(async () => {
  product = await joinProduct()
  gateway = await startGatewayHere(product, {
    maxForwarded: 1,
    rateLimits: {
      spend: () => {
        charged++
        return {}
      },
      refuseEmpty() {},
      usage: () => [],
    },
    onCall: subject => {
      calls.push(subject)
      return before(subject)
    },
  })
})
afterAll(async () => {
  await gateway?.stop()
  await product?.stop()
})
beforeEach(() => {
  calls = []
  charged = 0
  before = () => {}
})

const program = (workspace?: string) => ({ kind: 'internal', id: 'test', workspace }) as const
const countOf = (subject: string) => calls.filter(each => each === subject).length

async function newToken() {
  const { backoffice, dev } = product
  return invoke(backoffice, authTokens, 'create_api_token', {
    caller: program(dev.workspace_id),
    body: { name: newId('evt') },
  })
}

const openSession = (user_id: string) =>
  invoke(product.backoffice, authTokens, 'create_session', { caller: program(), body: { user_id } })

/** An admin of a workspace with this many events, and what they send. */
async function newAdmin(events: number) {
  const { backoffice, sql } = product
  const { workspace_id, user_id } = await invoke(backoffice, authTokens, 'create_owner', {
    caller: program(),
    body: { email: `${newId('evt')}@long.example`, workspace_name: 'Long' },
  })
  const admin = `${user_id}_admin`
  await sql`insert into auth_tokens.users (id, email) values (${admin}, ${`${admin}@long.example`})`
  await insertMember(sql, { workspace: workspace_id, user: admin, role: 'admin' })
  const session = await openSession(admin)
  const owner = await openSession(user_id)
  await addEvents(sql, workspace_id, { to: events })
  const path = `/workspaces/${workspace_id}/members/${admin}`
  return { workspace_id, path, session, owner }
}
type Admin = Awaited<ReturnType<typeof newAdmin>>

const openLines = ({ session, workspace_id }: Admin) =>
  fetch(`${gateway.url}/v1/audit_log?type=offers.revoked`, {
    headers: {
      authorization: `Bearer ${session.token}`,
      'svc-context': workspace_id,
      accept: 'application/x-ndjson',
    },
  })

/** Whole lines, and whether that was all. */
async function readLines({ body }: Response): Promise<{ lines: number; ended: boolean }> {
  let text = ''
  const decoder = new TextDecoder()
  const linesOf = () => text.split('\n').length - 1
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk, { stream: true })
    return { lines: linesOf(), ended: true }
  } catch {
    return { lines: linesOf(), ended: false }
  }
}

/** Through a gateway of the product: done once this has resolved. */
const send = (method: string, path: string, token: string, body?: object) =>
  sender(product.baseUrls[0] ?? '')(method, path, token, { body, status: body ? 200 : 204 })

/** The same, in the demo's workspace. */
const asOwner = (method: string, path: string) =>
  sender(product.baseUrls[0] ?? '')(method, path, product.dev.owner.session_token, {
    workspace: product.dev.workspace_id,
    status: 204,
  })

const offersWith = async (notes: string) => {
  const [row] = await product.sql`select count(*)::int as count from offers.offers where notes = ${notes}`
  return row?.count as number
}

/** Sends half a body, and the other half once `meanwhile` is done. */
async function offerInTwoParts(token: string, notes: string, meanwhile: () => Promise<unknown>) {
  const body = JSON.stringify({ product_id: product.dev.product_id, notes })
  const head = rawRequest({
    method: 'POST',
    target: '/v1/offers',
    headers: [
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ],
  })
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const { answers } = await exchange(
    gateway.url,
    Buffer.concat([head, Buffer.from(chunk(' '.repeat(1500)))]),
    {
      answers: 1,
      // Fast enough not to be dropped.
      drip: chunk(' '.repeat(1500)),
      dripEveryMs: 100,
      later: waitUntil('the request is admitted', () => countOf(lookUp) > 0)
        .then(meanwhile)
        .then(() => `${chunk(body)}0\r\n\r\n`),
    },
  )
  // What drips after the end of the body is answered as another request.
  return answers
}

test('a body that is completed after the reply of a revocation executes nothing', async () => {
  const kept = await newToken()
  const [completed] = await offerInTwoParts(kept.token, `in two parts ${kept.id}`, async () => {})
  expect(completed?.status).toBe(201)
  expect(await offersWith(`in two parts ${kept.id}`)).toBe(1)

  calls = []
  const { id, token } = await newToken()
  const [refused] = await offerInTwoParts(token, `in two parts ${id}`, () =>
    asOwner('DELETE', `/api_tokens/${id}`),
  )
  expect(refused?.status).toBe(401)
  expect(await offersWith(`in two parts ${id}`)).toBe(0)
  expect(countOf(createOffer)).toBe(0)
})

test('a request that waits for a slot is admitted again when it has one', async () => {
  const { id, token } = await newToken()
  const send = (credential: string, notes: string) =>
    fetch(`${gateway.url}/v1/offers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      body: JSON.stringify({ product_id: product.dev.product_id, notes }),
    })
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  before = subject => {
    if (subject === createOffer && countOf(createOffer) === 1) return held
    // One look-up for each, and one for the second when it has its slot.
    return countOf(lookUp) === 3 ? asOwner('DELETE', `/api_tokens/${id}`) : undefined
  }
  const first = send(product.dev.api_token, `before ${id}`)
  await waitUntil('the slot is taken', () => countOf(createOffer) === 1)
  expect((await send(token, `waited ${id}`)).status).toBe(401)
  release()
  expect((await first).status).toBe(201)
  expect(await offersWith(`waited ${id}`)).toBe(0)
})

const endings: [string, (admin: Admin) => Promise<unknown>][] = [
  ['their session has ended', ({ session }) => send('DELETE', '/sessions/current', session.token)],
  ['they are a member only', ({ path, owner }) => send('PATCH', path, owner.token, { role: 'member' })],
  ['they were removed', ({ path, owner }) => send('DELETE', path, owner.token)],
]

test.each(endings)('no page of the audit log is read for an admin once %s', async (_, end) => {
  const admin = await newAdmin(10 * linesPerPage)
  before = async subject => {
    if (subject === audit && countOf(audit) === 3) await end(admin)
  }
  expect(await readLines(await openLines(admin))).toEqual({ lines: 3 * linesPerPage, ended: false })
  expect(countOf(audit)).toBe(3)
  expect(charged).toBeGreaterThanOrEqual(3)
})

/** Offers of their workspace, all like one. */
async function addOffers({ workspace_id, owner }: Admin, count: number) {
  const ask = (path: string, body: object) =>
    sender<{ id: string }>(product.baseUrls[0] ?? '')('POST', path, owner.token, {
      workspace: workspace_id,
      body,
    })
  const { id: package_id } = await ask('/packages', { name: 'Long' })
  const { id: version } = await ask(`/packages/${package_id}/versions`, {
    version: '1',
    input_schema: { type: 'object', properties: {} },
  })
  const { id } = await ask('/offers', { package_version_id: version })
  await product.sql`
    insert into offers.offers (id, workspace_id, short_hash, package_version_id, allowed_emails, field_values, terms,
      order_ttl_minutes, created_by, created_at)
    select left(id, 24) || lpad(n::text, 8, '0'), workspace_id, right(workspace_id, 20) || n, package_version_id,
      allowed_emails, field_values, terms, order_ttl_minutes, created_by, created_at
    from offers.offers, generate_series(2, ${count}::int) n where id = ${id}`
}

const csvOf: Record<string, (admin: Admin) => Promise<Response>> = {
  'the API': ({ session, workspace_id }) =>
    fetch(`${gateway.url}/v1/offers`, {
      headers: { authorization: `Bearer ${session.token}`, 'svc-context': workspace_id, accept: 'text/csv' },
    }),
  'the console': ({ session, workspace_id }) =>
    fetch(`${gateway.url}/console/${workspace_id}/offers.csv`, {
      headers: { cookie: `__Host-svc_session=${session.token}` },
    }),
}
const losses = endings.filter(([name]) => name !== 'they are a member only')

test.each(Object.keys(csvOf).flatMap(by => losses.map(([name, end]) => [by, name, end] as const)))(
  'no page of a list as CSV is read by %s once %s, and all of it until then',
  async (by, _, end) => {
    const admin = await newAdmin(0)
    const count = 10 * linesPerPage
    await addOffers(admin, count)
    const open = csvOf[by] ?? expect.unreachable()
    const whole = await open(admin)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="offers.csv"',
    })
    expect(await readLines(whole)).toEqual({ lines: 1 + count, ended: true })

    calls = []
    charged = 0
    before = async subject => {
      if (subject === listOffers && countOf(listOffers) === 3) await end(admin)
    }
    expect(await readLines(await open(admin))).toEqual({ lines: 1 + 3 * linesPerPage, ended: false })
    expect(countOf(listOffers)).toBe(3)
    expect(charged).toBeGreaterThanOrEqual(3)
  },
)
