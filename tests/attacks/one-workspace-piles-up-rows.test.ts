// A workspace that creates rows without end, of every kind that it can: one request after the other, and many at once.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { offers } from '@svc/contract/offers/offers'
import { type QuotaName, quotaNames, quotas } from '@svc/contract/core/quotas'
import { newId } from '@svc/runtime/id'
import { createLog } from '@svc/runtime/log'
import { exchangeRun, newJob } from '@svc/testing/ci-runs'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { rangePolicy } from '../../services/offers/test/catalogue.ts'
import { made, type Reply, type Send, startHttpScene } from '../../services/offers/test/http-scene.ts'
import { forFile } from '@svc/testing/for-file'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertMember } from '@svc/testing/members'

const scene = forFile(() => startHttpScene(joinProduct))
const job = newJob()
let bus: Bus
let asGateway: CallBus
beforeAll(async () => {
  bus = await connectBus(scene.stack.stack.bus('tests'), createLog('test', 'silent'))
  asGateway = createCall(bus)
  workspace = await newWorkspace()
  other = await newWorkspace()
})
afterAll(() => bus?.close())

interface Workspace {
  readonly id: string
  readonly send: Send
  readonly package_id: string
  readonly package_version_id: string
  readonly product_id: string
  readonly channel_id: string
  readonly short_hash: string
}
let workspace: Workspace
let other: Workspace

/** A new workspace, with one of everything. */
async function newWorkspace(): Promise<Workspace> {
  const owner = scene.stack.dev.owner.session_token
  const id = await made(scene.as(owner), '/workspaces', { name: 'Piles' })
  const send = scene.as(owner, { 'svc-context': id })
  const package_id = await made(send, '/packages', { name: 'First' })
  const body = { version: '0', input_schema: { properties: {} } }
  const package_version_id = await made(send, `/packages/${package_id}/versions`, body)
  const product_id = await made(send, '/products', { name: 'First', package_id })
  const channel_id = await made(send, '/offer_channels', { name: 'First', product_id })
  const { body: offer } = await scene.own('POST', '/offers', {
    package_version_id: scene.stack.dev.package_version_id,
    max_uses: 1000,
  })
  const short_hash = String(offer.short_hash)
  await made(send, '/ci_trusts', job.trust)
  return { id, send, package_id, package_version_id, product_id, channel_id, short_hash }
}

/** Without a password, as hashing takes longer than the rest. */
async function newUser(): Promise<string> {
  const id = newId('user')
  await scene.stack.sql`
    insert into auth_tokens.users (id, email, password_hash, verified_at)
    values (${id}, ${`${id}@piles.example`}, '-', now())`
  return id
}

async function openSession(user_id: string): Promise<string> {
  const caller = { kind: 'internal', id: 'test' } as const
  return (await invoke(scene.stack.backoffice, authTokens, 'create_session', { caller, body: { user_id } }))
    .token
}

const internal = (workspace: string) => ({ caller: { kind: 'internal', id: 'test', workspace } }) as const
/** A reply, from whichever service. */
const replyOf = (asked: Promise<{ id?: string }>): Promise<Reply> =>
  asked.then(
    body => ({ status: 201, body: body as Reply['body'] }),
    error => ({ status: error.status, body: error.body }),
  )

/** Sums, which may exceed their quota by what is in progress at that moment. */
type Summed = 'offers' | 'offer_bytes'

/** Creates the n-th. */
const makers: Record<Exclude<QuotaName, Summed>, (workspace: Workspace, n: number) => Promise<Reply>> = {
  packages: ({ id, send }, n) =>
    n % 2 === 0
      ? send('POST', '/packages', { name: `${n}` })
      : replyOf(
          invoke(scene.stack.backoffice, offers, 'create_package', {
            ...internal(id),
            body: { name: `${n}` },
          }),
        ),
  package_versions: ({ send, package_id }, n) =>
    send('POST', `/packages/${package_id}/versions`, {
      version: `1.${n}`,
      input_schema: { properties: {} },
    }),
  products: ({ send, package_id }, n) => send('POST', '/products', { name: `${n}`, package_id }),
  offer_channels: ({ send, product_id }, n) => send('POST', '/offer_channels', { name: `${n}`, product_id }),
  channel_policies: ({ send, channel_id }) =>
    send('POST', `/offer_channels/${channel_id}/policies`, { policy: rangePolicy }),
  orders_placed: async ({ id, short_hash }) => {
    // Each by another person of the workspace, since a person has one order per offer.
    const user = await newUser()
    await insertMember(scene.stack.sql, { workspace: id, user, role: 'member' })
    return scene.as(await openSession(user), { 'svc-context': id })('POST', `/i/${short_hash}/orders`)
  },
  members: async ({ id, send }) => {
    const user_id = await newUser()
    const body = { email: `${user_id}@piles.example`, role: 'member' }
    const invitation = await made(send, `/workspaces/${id}/members`, body)
    const accepted = await scene.as(await openSession(user_id))('POST', `/invitations/${invitation}/accept`)
    return { ...accepted, status: accepted.status === 200 ? 201 : accepted.status }
  },
  invitations: ({ id, send }, n) =>
    send('POST', `/workspaces/${id}/members`, { email: `${n}@piles.example`, role: 'member' }),
  api_tokens: ({ send }, n) => send('POST', '/api_tokens', { name: `${n}` }),
  ci_trusts: ({ send }) => send('POST', '/ci_trusts', job.trust),
  ci_tokens: ({ id }) =>
    replyOf(
      exchangeRun(asGateway, job.run(id)).then(({ outcome }) => {
        expect(outcome).toBe('issued')
        return {}
      }),
    ),
  webhook_endpoints: ({ send }) =>
    send('POST', '/webhook_endpoints', { url: 'https://piles.example', event_types: ['orders.*'] }),
  clusters: ({ id, send }, n) =>
    n % 2 === 0
      ? send('POST', '/clusters', { name: `${n}` })
      : replyOf(
          invoke(scene.stack.backoffice, compute, 'create_cluster', {
            ...internal(id),
            body: { name: `${n}` },
          }),
        ),
}
/** What there is of each quota, by its name. */
const limitsOf = async ({ send }: Workspace) => {
  const { body } = await send('GET', '/limits')
  const listed = body.quotas as { quota: QuotaName; used: number; most: number }[]
  return Object.fromEntries(listed.map(({ quota, used, most }) => [quota, [used, most] as const]))
}

const services = { offers, 'auth-tokens': authTokens, compute, activity } as const
const setQuota = (workspace: string, quota: QuotaName, most: number | null) =>
  invoke(scene.stack.backoffice, services[quotas[quota].service], 'set_quota', {
    ...internal(workspace),
    body: { quota, most },
  })

test.each(Object.keys(makers) as (keyof typeof makers)[])(
  '%s: as many as the quota allows, of any number at once',
  async quota => {
    const more = 5
    const [used = 0] = (await limitsOf(workspace))[quota] ?? []
    const most = used + more
    expect(await setQuota(workspace.id, quota, most)).toEqual({ quota, most })
    const callers = sized(10, 60)
    const replies = await Promise.all(Array.from({ length: callers }, (_, n) => makers[quota](workspace, n)))
    const refused = replies.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(callers - more)
    for (const { status, body } of refused) {
      expect(status).toBe(422)
      expect(body.errors).toMatchObject([
        {
          code: 42212,
          message: expect.stringContaining(`The quota ${quota} is used up: ${most} `),
          metadata: { quota, most: `${most}` },
        },
      ])
    }
    // Others are not affected, and the default can be restored.
    expect((await makers[quota](other, 1000)).status).toBe(201)
    expect(await setQuota(workspace.id, quota, null)).toEqual({ quota, most: quotas[quota].most })
    expect((await makers[quota](workspace, 1001)).status).toBe(201)
  },
)

test('offers: none past the quota, except of simultaneous ones at most as many as there are connections', async () => {
  const { id, send, package_version_id } = await newWorkspace()
  const offer = () => send('POST', '/offers', { package_version_id })
  await setQuota(id, 'offers', 5)
  const replies = await Promise.all(Array.from({ length: sized(30, 500) }, offer))
  expect((await offer()).body).toMatchObject({
    _tag: 'Unprocessable',
    errors: [{ code: 42212, metadata: { quota: 'offers', most: '5' } }],
  })
  const written = replies.filter(({ status }) => status === 201).length
  expect(written).toBeGreaterThanOrEqual(5)
  const [row] = await scene.stack.sql`
    select count(*)::int as rows, (select sum(offers)::int from offers.quota_sums where workspace_id = ${id}) as sum
    from offers.offers where workspace_id = ${id}`
  expect(row).toEqual({ rows: written, sum: written })
  expect(replies.filter(({ status }) => status !== 201 && status !== 422)).toEqual([])
  const { package_version_id: others } = other
  expect((await other.send('POST', '/offers', { package_version_id: others })).status).toBe(201)
  await setQuota(id, 'offers', null)
  expect((await offer()).status).toBe(201)
})

test('offer_bytes: all bytes written are counted, whatever the size of each offer', async () => {
  const { id, send, package_version_id } = await newWorkspace()
  await setQuota(id, 'offer_bytes', 10_000)
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const { status } = await send('POST', '/offers', { package_version_id, notes: 'é'.repeat(500) })
    statuses.push(status)
  }
  const written = statuses.indexOf(422)
  expect(written).toBeGreaterThan(3)
  expect(statuses).toEqual(statuses.map((_, n) => (n < written ? 201 : 422)))
})

test('GET /limits shows how much of each is used', async () => {
  const own = await newWorkspace()
  const { id, send, package_version_id } = own
  await setQuota(id, 'clusters', 7)
  await made(send, '/clusters', { name: 'One' })
  await made(send, '/offers', { package_version_id })
  const limits = await limitsOf(own)
  expect(Object.keys(limits)).toEqual(quotaNames.toSorted())
  const one = [
    'packages',
    'package_versions',
    'products',
    'offer_channels',
    'members',
    'ci_trusts',
    'offers',
  ] as const
  expect(limits).toMatchObject({
    clusters: [1, 7],
    offer_bytes: [expect.any(Number), quotas.offer_bytes.most],
    orders_placed: [0, quotas.orders_placed.most],
    ...Object.fromEntries(one.map(name => [name, [1, quotas[name].most]])),
  })
  expect(limits.offer_bytes?.[0]).toBeGreaterThan(100)
})

test('deleting makes room', async () => {
  const { id, send } = await newWorkspace()
  await setQuota(id, 'packages', 2)
  const second = await made(send, '/packages', { name: 'Second' })
  expect((await send('POST', '/packages', { name: 'Third' })).status).toBe(422)
  expect((await send('DELETE', `/packages/${second}`)).status).toBe(204)
  expect((await send('POST', '/packages', { name: 'Third' })).status).toBe(201)
})

test('API tokens that have expired do not count, and only the last 500 of them are kept', async () => {
  const { id, send } = await newWorkspace()
  await scene.stack.sql`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at)
    select 'tok_' || gen_random_uuid(), ${id}, n, sha256(gen_random_uuid()::text::bytea), 'hint', now() - interval '1 day',
      now() - n * interval '1 s'
    from generate_series(1, 700) n`
  await setQuota(id, 'api_tokens', 3)
  for (let n = 0; n < 3; n++) await made(send, '/api_tokens', { name: `${n}` })
  expect((await send('POST', '/api_tokens', { name: '3' })).status).toBe(422)
  const [row] = await scene.stack.sql`
    select count(*)::int as rows, count(*) filter (where name::integer > 500)::int as oldest
    from auth_tokens.api_tokens where workspace_id = ${id}`
  expect(row).toEqual({ rows: 503, oldest: 0 })
})

test('the numbers of the contract are in the databases', async () => {
  const rows = await scene.stack.sql`
    select quota, most from offers.quota_limits where workspace_id = ''
    union all select quota, most from auth_tokens.quota_limits where workspace_id = ''
    union all select quota, most from compute.quota_limits where workspace_id = ''
    union all select quota, most from activity.quota_limits where workspace_id = ''`
  const kept = Object.fromEntries(rows.map(({ quota, most }) => [quota, Number(most)]))
  expect(kept).toEqual(Object.fromEntries(quotaNames.map(name => [name, quotas[name].most])))
})

test.each(['packages', 'members', 'clusters'] as const)(
  'the quota %s of a workspace that does not exist cannot be set',
  async quota => {
    await expect(setQuota(newId('ws'), quota, 1)).rejects.toMatchObject({
      status: 422,
      body: { errors: [{ code: 42201, path: ['workspace'] }] },
    })
  },
)

test('a quota is set at the service that enforces it', async () => {
  const set = invoke(scene.stack.backoffice, offers, 'set_quota', {
    ...internal(newId('ws')),
    body: { quota: 'clusters', most: 1 },
  })
  await expect(set).rejects.toMatchObject({ status: 422 })
})
