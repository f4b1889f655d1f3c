// What happened in a workspace, over HTTP.
import { forFile } from '@svc/testing/for-file'
import { waitUntil } from '@svc/local/wait-until'
import { sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, expect, test } from 'vitest'

interface Event {
  readonly id: string
  readonly type: string
  readonly aggregate_id: string
  readonly sequence: number
  readonly created_at: number
  readonly actor: Record<string, string | null>
  readonly request_id: string | null
  readonly data: Record<string, unknown>
}
interface Page {
  readonly data: readonly (Event & { readonly address?: string | null; readonly cursor?: string })[]
  readonly next_cursor: string | null
}

const running = forFile(joinProduct)
let send: ReturnType<typeof sender>

beforeAll(() => {
  send = sender(running.baseUrls[0] ?? '')
})

const list = async (query: Record<string, string>, credential = running.dev.api_token, path = '/events') =>
  (await send('GET', `${path}?${new URLSearchParams(query)}`, credential, {
    ...(credential !== running.dev.api_token &&
      credential !== running.dev.other_api_token && { workspace: running.dev.workspace_id }),
  })) as unknown as Page

async function createOffer(fields: object = {}): Promise<string> {
  const body = { product_id: running.dev.product_id, ...fields }
  return String((await send('POST', '/offers', running.dev.api_token, { body })).id)
}

/** Until the event is there. */
async function eventually(query: Record<string, string>): Promise<Page['data']> {
  let { data } = await list(query)
  await waitUntil(`an event of ${JSON.stringify(query)}`, async () => {
    if (data.length === 0) data = (await list(query)).data
    return data.length > 0
  })
  return data
}

test('a change is an event with who made it, which only its workspace sees', async () => {
  const { dev } = running
  const id = await createOffer()
  const [event] = await eventually({ aggregate: id })
  expect(event).toMatchObject({
    type: 'offers.created',
    aggregate_id: id,
    data: { workspace_id: dev.workspace_id, product_id: dev.product_id },
    actor: { kind: 'api_token', workspace_id: dev.workspace_id },
    request_id: expect.stringMatching(/^req_/),
  })
  expect(event).not.toHaveProperty('address')
  expect(await send('GET', `/events/${event?.id}`, dev.api_token)).toEqual(event)
  await send('GET', `/events/${event?.id}`, dev.other_api_token, { status: 404 })
  expect((await list({ aggregate: id }, dev.other_api_token)).data).toEqual([])
})

test('pages go back in time, and forward to where later events begin', async () => {
  const ids = [await createOffer(), await createOffer(), await createOffer()]
  await Promise.all(ids.map(aggregate => eventually({ aggregate })))
  const first = await list({ type: 'offers.created', limit: '2' })
  expect(first.data).toHaveLength(2)
  const second = await list({ type: 'offers.created', limit: '2', cursor: first.next_cursor ?? '' })
  const newest = [...first.data, ...second.data].slice(0, 3).map(each => each.aggregate_id)
  expect(newest.sort()).toEqual([...ids].sort())

  const end = await list({ order: 'asc', after: '253402300799' })
  expect(end.data).toEqual([])
  const next = await createOffer()
  await eventually({ aggregate: next })
  const later = await list({ order: 'asc', cursor: end.next_cursor ?? '' })
  expect(later.data.map(each => each.aggregate_id)).toEqual([next])
  expect((await list({ order: 'asc', cursor: later.next_cursor ?? '' })).data).toEqual([])
})

test('filters choose by type, actor and time', async () => {
  const id = await createOffer()
  const [event] = await eventually({ aggregate: id })
  const actor = event?.actor.id ?? ''
  const at = event?.created_at ?? 0
  const found = async (query: Record<string, string>) =>
    (await list({ aggregate: id, ...query })).data.map(each => each.type)
  expect(await found({ actor, type: 'offers.created', after: `${at}`, before: `${at + 1}` })).toEqual([
    'offers.created',
  ])
  expect(await found({ actor: 'user_nobody' })).toEqual([])
  expect(await found({ type: 'offers.revoked' })).toEqual([])
  expect(await found({ after: `${at + 1}` })).toEqual([])
  expect(await found({ before: `${at}` })).toEqual([])
})

test('events are counted by day and type, of the own workspace alone', async () => {
  const { dev } = running
  const path = '/event_counts?types=offers.created,sign_ins.succeeded&days=2'
  const countToday = async (credential: string) => {
    const { data } = (await send('GET', path, credential)) as {
      data: { date: string; counts: Record<string, number> }[]
    }
    expect(data).toHaveLength(2)
    expect(data[1]?.date).toBe(new Date().toISOString().slice(0, 10))
    return data[1]?.counts ?? {}
  }
  const [before, others] = [await countToday(dev.api_token), await countToday(dev.other_api_token)]
  for (const aggregate of [await createOffer(), await createOffer()]) await eventually({ aggregate })
  expect(await countToday(dev.api_token)).toEqual({
    'offers.created': (before['offers.created'] ?? 0) + 2,
    'sign_ins.succeeded': 0,
  })
  expect(await countToday(dev.other_api_token)).toEqual(others)
})

test.each([
  ['types', 'offers'],
  ['types', ''],
  ['types', 'a.b,a.b,a.b,a.b,a.b,a.b'],
  ['types', 'offers.created,'],
  ['days', '0'],
  ['days', '91'],
  ['type', 'offers.created'],
])('counting with %s=%s is refused', async (name, value) => {
  const query = new URLSearchParams({ types: 'offers.created', [name]: value })
  const answer = await send('GET', `/event_counts?${query}`, running.dev.api_token, { status: 400 })
  expect(JSON.stringify(answer)).toContain(name)
})

test.each([
  ['limit', '0'],
  ['type', 'offers'],
  ['after', 'yesterday'],
  ['cursor', 'bm90IG9uZQ'],
  ['aggregate', '%00'],
  ['actor', '%0A'],
  ['order', 'sideways'],
])('%s=%s is refused', async (name, value) => {
  const answer = await send('GET', `/events?${name}=${value}`, running.dev.api_token, { status: 400 })
  expect(answer).toMatchObject({ errors: [{ path: [name] }] })
})

test('both sides of an order see its events, but only their own people', async () => {
  const { dev } = running
  const offer = await createOffer({ allow_api_tokens: true })
  const { short_hash } = (await send('GET', `/offers/${offer}`, dev.api_token)) as { short_hash: string }
  const order = await send('POST', `/i/${short_hash}/orders`, dev.other_api_token, { body: {} })
  const [sold] = await eventually({ aggregate: String(order.id) })
  const [bought] = (await list({ aggregate: String(order.id) }, dev.other_api_token)).data
  expect(bought).toMatchObject({
    id: sold?.id,
    actor: { kind: 'api_token', id: expect.stringMatching(/^tok_/) },
  })
  expect(sold?.actor).toEqual({
    kind: 'api_token',
    id: null,
    name: null,
    credential_id: null,
    workspace_id: dev.other_workspace_id,
  })
  expect(sold?.request_id).toBeNull()
})

test('the audit log is for owners and admins, and says from where and with which credential', async () => {
  const { dev } = running
  const id = await createOffer()
  const [event] = await eventually({ aggregate: id })
  const credential = event?.actor.credential_id ?? ''
  const { data } = await list({ aggregate: id, credential }, dev.owner.session_token, '/audit_log')
  const { address, cursor, ...rest } = data[0] ?? {}
  expect(rest).toEqual(event)
  expect(['127.0.0.1', '::1']).toContain(address)
  expect(cursor).toMatch(/^[\w-]+$/)
  const none = { aggregate: id, credential: 'tok_other' }
  expect((await list(none, dev.owner.session_token, '/audit_log')).data).toEqual([])
  for (const token of [dev.api_token, dev.member.session_token])
    await send('GET', '/audit_log', token, { status: 403, workspace: dev.workspace_id })
})

test('a sign-in is in the audit log of the workspaces that the person is in, and nowhere else', async () => {
  const { dev, sql } = running
  const { id } = (await sql`select id from auth_tokens.users where email = ${dev.owner.email}`)[0] ?? {}
  await sql`
    insert into auth_tokens.outbox (aggregate_id, subject, payload, actor, address)
    values (${id}, 'events.sign_ins.succeeded', ${sql.json({ user_id: id })},
      ${sql.json({ kind: 'user', id, name: null, credential_id: null, workspace_id: null })}, '198.51.100.7')`
  const query = { type: 'sign_ins.succeeded', aggregate: id }
  const logged = async () => (await list(query, dev.owner.session_token, '/audit_log')).data
  await waitUntil('the sign-in', async () => (await logged()).some(each => each.address === '198.51.100.7'))
  expect((await list(query)).data).toEqual([])
})

test('the audit log comes as JSON lines, oldest first, and goes on after any of them', async () => {
  const { dev } = running
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await createOffer())
  await Promise.all(ids.map(aggregate => eventually({ aggregate })))
  const lines = async (query: Record<string, string>) => {
    const response = await fetch(`${dev.base_url}/audit_log?${new URLSearchParams(query)}`, {
      headers: {
        authorization: `Bearer ${dev.owner.session_token}`,
        'svc-context': dev.workspace_id,
        accept: 'application/x-ndjson',
      },
    })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const text = await response.text()
    return text === ''
      ? []
      : (text
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line)) as Required<Page['data'][number]>[])
  }
  const all = await lines({ type: 'offers.created' })
  expect(all.slice(-5).map(each => each.aggregate_id)).toEqual(ids)
  const rest = await lines({ type: 'offers.created', cursor: all.at(-3)?.cursor ?? '' })
  expect(rest).toEqual(all.slice(-2))
  expect(await lines({ type: 'offers.created', cursor: all.at(-1)?.cursor ?? '' })).toEqual([])
})
