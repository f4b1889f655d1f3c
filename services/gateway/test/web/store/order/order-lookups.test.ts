// Which operations the pages of orders call, whoever asks, and what they show when one of them does not answer.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { CodeName } from '@svc/contract/core/error-codes'
import { refusal } from '@svc/contract/core/errors'
import { freePort } from '@svc/local/free-port'
import { newId } from '@svc/runtime/id'
import { createLog } from '@svc/runtime/log'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { createResolvers } from '../../../../src/edge/admit/credentials.ts'
import { createServer } from '../../../../src/server.ts'
import { ask } from '../../../answers.ts'
import { Jar } from '../../cookie-jar.ts'

let stack: Product
let bus: Bus
let gateway: ReturnType<typeof createServer>
let url: string
/** Operations that were called, in order. */
let called: string[] = []
/** What happens to the calls of an operation. */
let failures: Record<string, CodeName> = {}

beforeAll(async () => {
  stack = await joinProduct()
  const log = createLog('test', 'silent')
  bus = await connectBus(stack.stack.bus('gateway'), log)
  const overBus = createCall(bus)
  const call: CallBus = async request => {
    const operation = request.subject.split('.').at(-1) ?? ''
    called.push(operation)
    const failure = failures[operation]
    if (failure) throw refusal(failure)
    return overBus(request)
  }
  const verifyToken = async () => ({ kind: 'outside', email: 'nobody@example.com' }) as const
  gateway = createServer({
    call,
    ...createResolvers({ call, verifyToken, maxPending: 100 }),
    connected: () => true,
    publicUrl: 'http://localhost',
    trustedProxies: [],
    signingKeys: () => undefined,
    maxInFlight: 10,
    log,
  })
  url = await gateway.listen({ host: '127.0.0.1', port: await freePort() })
})
afterAll(async () => {
  await gateway?.close()
  await bus?.close()
  await stack?.stop()
})
beforeEach(() => {
  failures = {}
})

const caller = { kind: 'internal', id: 'test' } as const

interface Person {
  readonly id: string
  readonly jar: Jar
  /** Ids. */
  readonly workspaces: readonly string[]
}

/** Signed in, and a member of that many workspaces. */
async function newPerson(workspaces: number): Promise<Person> {
  const id = newId('user')
  await stack.sql`
    insert into auth_tokens.users (id, email, password_hash, verified_at)
    values (${id}, ${`${id}@people.example`}, 'none', now())`
  const { token } = await invoke(stack.backoffice, authTokens, 'create_session', {
    caller,
    body: { user_id: id },
  })
  const ids = await Promise.all(Array.from({ length: workspaces }, () => insertWorkspace(stack.sql, 'Acme')))
  for (const workspace of ids) await join(id, workspace)
  const jar = new Jar()
  jar.cookies.set('__Host-svc_session', token)
  return { id, jar, workspaces: ids }
}

const join = (user: string, workspace: string) => insertMember(stack.sql, { workspace, user, role: 'member' })

async function newOffer(): Promise<{ id: string; path: string }> {
  const { product_id, api_token } = stack.dev
  const answer = await ask(`${stack.dev.base_url}/offers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id, max_uses: null }),
  })
  const { id, short_hash } = JSON.parse(answer.text)
  return { id, path: `/i/${short_hash}` }
}

/** Submits the form of an offer whose values cannot be read. */
async function beginOrder({ jar }: Person, path: string, more: Record<string, string> = {}) {
  const { csrf } = await jar.ask(url + path)
  failures = { submit_order: 'unavailable', ...failures }
  const answer = await jar.ask(url + path, { form: { _csrf: csrf, field_values: '{}', ...more } })
  failures = {}
  return answer
}

const orderAt = ({ headers }: { headers: Headers }) => headers.get('location') ?? ''

async function callsOf<T>(act: () => Promise<T>): Promise<{ result: T; calls: string[] }> {
  called = []
  const result = await act()
  return { result, calls: called.sort() }
}

describe('the page of an order makes the same look-ups, whoever opens it', () => {
  const whoAsks = ['resolve_credentials', 'read_user', 'find_order_workspace']
  const read = [...whoAsks, 'resolve_credentials', 'get_order', 'list_workspaces', 'resolve_offer'].sort()

  test.each([1, 30])('a member of %i workspaces', async workspaces => {
    const person = await newPerson(workspaces)
    const { path } = await newOffer()
    const order = orderAt(await beginOrder(person, path, { workspace: person.workspaces.at(-1) ?? '' }))
    expect(order).toMatch(/^\/orders\/order_/)
    const { result, calls } = await callsOf(() => person.jar.ask(url + order))
    expect([result.status, calls]).toEqual([200, read])
    const form = { _csrf: result.csrf }
    const cancelled = await callsOf(() => person.jar.ask(`${url}${order}/cancel`, { form }))
    expect([cancelled.result.status, cancelled.calls]).toEqual([
      303,
      [...whoAsks, 'resolve_credentials', 'cancel_order'].sort(),
    ])
    expect((await person.jar.ask(url + order)).text).toContain('Your order was cancelled')
  })

  test('a stranger with many workspaces, who learns nothing', async () => {
    const [person, stranger] = [await newPerson(1), await newPerson(30)]
    const { path } = await newOffer()
    const order = orderAt(await beginOrder(person, path))
    const foreign = await callsOf(() => stranger.jar.ask(url + order))
    expect(foreign.calls).toEqual([...whoAsks, 'resolve_credentials'].sort())
    const unknown = await stranger.jar.ask(`${url}/orders/${newId('order')}`)
    const shown = ({ status, text }: typeof unknown) => [status, text.replaceAll(/req_\w+/g, '')]
    expect(shown(foreign.result)).toEqual(shown(unknown))
    expect(unknown.status).toBe(404)
    const form = { _csrf: (await stranger.jar.ask(`${url}/sessions`)).csrf }
    for (const step of ['cancel', 'checkout'])
      expect((await stranger.jar.ask(`${url}${order}/${step}`, { form })).status).toBe(404)
    expect((await person.jar.ask(url + order)).text).toContain('Your order is not complete')
  })
})

test('both sides learn the state of an order by one look-up more than who they are, and nobody else does', async () => {
  const [person, seller, stranger] = [await newPerson(1), await newPerson(0), await newPerson(30)]
  await join(seller.id, stack.dev.workspace_id)
  const { path } = await newOffer()
  const order = orderAt(await beginOrder(person, path))
  for (const { jar } of [person, seller]) {
    const { result, calls } = await callsOf(() => jar.ask(`${url}${order}/state`))
    expect([result.status, JSON.parse(result.text)]).toEqual([200, { state: 'open' }])
    expect(result.headers.get('cache-control')).toBe('no-store')
    expect(calls).toHaveLength(5)
  }
  expect((await stranger.jar.ask(`${url}${order}/state`)).status).toBe(404)
  const nobody = await new Jar().ask(`${url}${order}/state`)
  expect([nobody.status, orderAt(nobody).startsWith('/sign-in')]).toEqual([303, true])
})

test('a seller sees an order without its history while that does not answer', async () => {
  const [person, seller] = [await newPerson(1), await newPerson(0)]
  await join(seller.id, stack.dev.workspace_id)
  const { path } = await newOffer()
  const order = `/console/${stack.dev.workspace_id}${orderAt(await beginOrder(person, path))}`
  failures = { list_events: 'unavailable' }
  const { result, calls } = await callsOf(() => seller.jar.ask(url + order))
  expect(result.status).toBe(200)
  expect(result.text).toContain('Part of the history can’t be loaded right now.')
  expect(result.text).toContain('Order placed')
  expect(calls).toEqual(
    [
      ...['resolve_credentials', 'read_user', 'resolve_credentials', 'list_workspaces'],
      ...['get_order', 'get_offer', 'get_package_version', 'list_events'],
    ].sort(),
  )
  failures = {}
  expect((await seller.jar.ask(url + order)).text).not.toContain(
    'Part of the history can’t be loaded right now.',
  )
})

test('a workspace name cannot be a web address', async () => {
  const person = await newPerson(0)
  const { path } = await newOffer()
  const answer = await beginOrder(person, path, { workspace_name: 'evil.example/sign-in' })
  expect(answer.status).toBe(422)
  expect(answer.text).toContain('without web addresses or invisible characters.')
  expect(orderAt(await beginOrder(person, path, { workspace_name: 'Booking.com' }))).toMatch(/^\/orders\//)
})

test('two clicks with a name that is typed in two ways are for one workspace', async () => {
  const person = await newPerson(0)
  const [first, second] = [await newOffer(), await newOffer()]
  expect(orderAt(await beginOrder(person, first.path, { workspace_name: 'Cafe\u0301' }))).toMatch(
    /^\/orders\//,
  )
  expect(orderAt(await beginOrder(person, second.path, { workspace_name: 'Café', workspace: '' }))).toMatch(
    /^\/orders\//,
  )
  const made = await stack.sql`
    select name from auth_tokens.memberships join auth_tokens.workspaces w on w.id = workspace_id
    where user_id = ${person.id}`
  expect(made).toEqual([{ name: 'Café' }])
})

test("a member's order is shown at its offer, however busy the workspace is, until they are no longer a member", async () => {
  const person = await newPerson(1)
  const [workspace = ''] = person.workspaces
  const { id, path } = await newOffer()
  const order = orderAt(await beginOrder(person, path))
  await stack.sql`
    update offers.orders set state = 'awaiting_approval', field_values = '{}' where id = ${order.slice(8)}`
  const others = Array.from({ length: 120 }, () => newId('order'))
  await stack.sql`
    insert into offers.orders (
      id, workspace_id, offer_id, customer_workspace_id, holder, state, expires_at, created_at, updated_at
    )
    select other, ${stack.dev.workspace_id}, ${id}, ${workspace}, other, 'open',
      ${Date.now() + 3_600_000}::bigint, now(), now()
    from unnest(${others}::text[]) other`
  const { result, calls } = await callsOf(() => person.jar.ask(url + path))
  expect(result.text).toContain(`href="${order}"`)
  expect(calls).not.toContain('list_orders')
  const left = await ask(`${stack.dev.base_url}/workspaces/${workspace}/members/${person.id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${person.jar.cookies.get('__Host-svc_session')}` },
  })
  expect(left.status).toBe(204)
  expect((await person.jar.ask(url + path)).text).not.toContain(order)
})

describe('what was done is not reported as failed', () => {
  test('an order whose values could not be read is shown without them', async () => {
    const person = await newPerson(1)
    const { path } = await newOffer()
    for (const failure of ['unavailable', 'timeout'] as const) {
      failures = { submit_order: failure }
      const answer = await beginOrder(person, path)
      expect(answer.status).toBe(303)
      failures = { get_order: 'unavailable' }
      const away = await person.jar.ask(url + orderAt(answer))
      expect([away.status, away.text.includes('This order has already changed')]).toEqual([503, false])
      failures = {}
      expect((await person.jar.ask(url + orderAt(answer))).text).toContain('Continue your order')
    }
  })

  test.each(['create_order', 'create_workspace'])('if %s is not answered', async operation => {
    const person = await newPerson(0)
    const { path } = await newOffer()
    failures = { [operation]: 'unavailable' }
    const answer = await beginOrder(person, path, { workspace_name: 'New' })
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.text).not.toContain('This order has already changed')
    expect(answer.text).toContain('We can’t tell whether your order was placed.')
    expect(answer.text).toContain(`href="${path}"`)
    const again = await beginOrder(person, path, { workspace_name: 'New' })
    expect(orderAt(again)).toMatch(/^\/orders\/order_/)
    const made = await stack.sql`select from auth_tokens.memberships where user_id = ${person.id}`
    expect(made).toHaveLength(1)
  })
})
