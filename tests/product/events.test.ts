// Every change that has an event is published to the stream, as the contract says.

import { forFile } from '@svc/testing/for-file'
import { readFile } from 'node:fs/promises'
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { presets } from '@svc/contract/core/permissions'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { createLog } from '@svc/runtime/log'
import { exchangeRun, newJob } from '@svc/testing/ci-runs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { caller, sender } from '@svc/testing/stack/driven-stack'
import { useOrders } from '@svc/testing/statements/every-order-statement'
import { eventsWithoutExample } from '@svc/testing/examples/events-without-example'
import { followProduct } from '@svc/testing/stack/follow-product'
import type { StoredEvent } from '@svc/testing/read-events'
import type { Product } from '@svc/testing/stack/stack'
import { startReceiver } from '@svc/testing/webhook-receiver'

const followed = forFile(followProduct)
let running: Product
beforeAll(() => {
  running = followed.product
})

/** The events of one aggregate, once there are that many. */
const eventsOf = (aggregate: string, count: number) =>
  followed.eventsWhere(count, ({ aggregate_id }) => aggregate_id === aggregate)

const brief = (stored: StoredEvent[]) => stored.map(({ type, data }) => ({ type, data }))
const send = (...args: Parameters<ReturnType<typeof sender>>) => sender(running.baseUrls[0] ?? '')(...args)

test('an offer', async () => {
  const { api_token, product_id, workspace_id, package_version_id, offer_channel_id } = running.dev
  const began = Math.floor(Date.now() / 1000)
  const pricing_request = { currency: 'eur', unit_amount: 4900, interval: 'month' }
  const body = { product_id, offer_channel_id, pricing_request }
  const { id } = await send('POST', '/offers', api_token, { body })
  const [event] = await eventsOf(String(id), 1)
  expect(event).toMatchObject({
    id: expect.stringMatching(/^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    subject: 'events.offers.created',
    type: 'offers.created',
    aggregate_id: id,
    sequence: expect.any(Number),
    data: {
      workspace_id,
      product_id,
      package_version_id,
      offer_channel_id,
      policy_number: expect.any(Number),
    },
  })
  const { id: bare } = await send('POST', '/offers', api_token, { body: { package_version_id } })
  expect(brief(await eventsOf(String(bare), 1))).toEqual([
    {
      type: 'offers.created',
      data: {
        workspace_id,
        product_id: null,
        package_version_id,
        offer_channel_id: null,
        policy_number: null,
      },
    },
  ])
  expect(event?.created_at).toBeGreaterThanOrEqual(began - 1)
  expect(event?.created_at).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
})

test('an API token: created, rotated with grace and without, revoked', async () => {
  const { workspace_id, owner } = running.dev
  const options = { workspace: workspace_id }
  const { id } = await send('POST', '/api_tokens', owner.session_token, {
    ...options,
    body: { name: 'told' },
  })
  const rotate = (body?: object) =>
    send('POST', `/api_tokens/${id}/rotate`, owner.session_token, { ...options, body })
  const { previous_expires_at } = await rotate({ grace_seconds: 600 })
  await rotate({})
  await send('DELETE', `/api_tokens/${id}`, owner.session_token, options)
  const created_by = expect.stringMatching(/^user_/)
  expect(brief(await eventsOf(String(id), 4))).toEqual([
    { type: 'api_tokens.created', data: { workspace_id, created_by, expires_at: null } },
    { type: 'api_tokens.rotated', data: { workspace_id, previous_expires_at } },
    { type: 'api_tokens.rotated', data: { workspace_id, previous_expires_at: null } },
    { type: 'api_tokens.revoked', data: { workspace_id } },
  ])
})

test('a CI trust: created, used by a run, deleted', async () => {
  const { workspace_id, owner } = running.dev
  const options = { workspace: workspace_id }
  const job = newJob()
  const { id } = await send('POST', '/ci_trusts', owner.session_token, { ...options, body: job.trust })
  const bus = await connectBus(running.stack.bus('tests'), createLog('test', 'silent'))
  onTestFinished(() => bus.close())
  await exchangeRun(createCall(bus), job.run(workspace_id))
  await send('DELETE', `/ci_trusts/${id}`, owner.session_token, options)
  const api_token_id = expect.stringMatching(/^tok_/)
  const { issuer } = job.trust
  expect(brief(await eventsOf(String(id), 3))).toEqual([
    { type: 'ci_trusts.created', data: { workspace_id, issuer, permissions: presets.ci } },
    { type: 'ci_trusts.used', data: { workspace_id, api_token_id, expires_at: expect.any(Number) } },
    { type: 'ci_trusts.deleted', data: { workspace_id } },
  ])
})

test('a workspace: renamed, and no event for what changes nothing', async () => {
  const { workspace_id, owner } = running.dev
  const [{ name } = {}] = await running.sql`
    select name from auth_tokens.workspaces where id = ${workspace_id}`
  const support_email = 'help@events.example'
  for (const body of [{ support_email }, { support_email }, { name }, { support_email: null }])
    await send('PATCH', `/workspaces/${workspace_id}`, owner.session_token, { body })
  expect(brief(await eventsOf(workspace_id, 2))).toEqual([
    { type: 'workspaces.updated', data: { workspace_id } },
    { type: 'workspaces.updated', data: { workspace_id } },
  ])
})

test('a member: invited, accepted, given another role, removed; no events for what changes nothing', async () => {
  const { workspace_id, owner } = running.dev
  const { user_id, email, session } = await newPerson()
  const members = `/workspaces/${workspace_id}/members`
  const { id } = await send('POST', members, owner.session_token, { body: { email, role: 'member' } })
  for (const _ of [1, 2]) await send('POST', `/invitations/${id}/accept`, session)
  const change = (role: string) =>
    send('PATCH', `${members}/${user_id}`, owner.session_token, { body: { role } })
  await change('member')
  await change('admin')
  await change('member')
  await send('DELETE', `${members}/${user_id}`, owner.session_token)
  const one = { workspace_id, user_id }
  expect(brief(await eventsOf(`${workspace_id}/${user_id}`, 4))).toEqual([
    { type: 'members.added', data: { ...one, role: 'member' } },
    { type: 'members.updated', data: { ...one, role: 'admin' } },
    { type: 'members.updated', data: { ...one, role: 'member' } },
    { type: 'members.removed', data: one },
  ])
  expect(brief(await eventsOf(String(id), 2))).toEqual([
    { type: 'invitations.created', data: { workspace_id, role: 'member' } },
    { type: 'invitations.accepted', data: { workspace_id, role: 'member', user_id } },
  ])
})

test('an invitation that is declined, and one that is revoked', async () => {
  const { workspace_id, owner } = running.dev
  const { email, session } = await newPerson()
  const path = `/workspaces/${workspace_id}`
  const invite = () =>
    send('POST', `${path}/members`, owner.session_token, { body: { email, role: 'admin' } })
  const declined = await invite()
  for (const _ of [1, 2]) await send('POST', `/invitations/${declined.id}/decline`, session)
  const revoked = await invite()
  for (const _ of [1, 2]) await send('DELETE', `${path}/invitations/${revoked.id}`, owner.session_token)
  const data = { workspace_id, role: 'admin' }
  for (const [{ id }, end] of [
    [declined, 'declined'],
    [revoked, 'revoked'],
  ] as const) {
    expect(brief(await eventsOf(String(id), 2))).toEqual([
      { type: 'invitations.created', data },
      { type: `invitations.${end}`, data },
    ])
  }
})

/** Verified, with a session. */
async function newPerson() {
  const email = `${newId('user')}@events.example`
  const operator = caller()
  const body = { email, password: 'a good long password' }
  const { id } = await invoke(running.backoffice, authTokens, 'put_user', { ...operator, body })
  await invoke(running.backoffice, authTokens, 'verify_user', { ...operator, body: { email } })
  const { token } = await invoke(running.backoffice, authTokens, 'create_session', {
    ...operator,
    body: { user_id: id },
  })
  return { user_id: id, email, session: token }
}

test('the owner of a new workspace', async () => {
  const { owner } = running.dev
  const { id: workspace_id } = await send('POST', '/workspaces', owner.session_token, {
    body: { name: 'New' },
  })
  const created = await invoke(running.backoffice, authTokens, 'create_owner', {
    ...caller(),
    body: { email: `${newId('user')}@events.example`, workspace_name: 'Newer' },
  })
  const { user_id } = created
  const added = await followed.eventsWhere(2, ({ type, aggregate_id }) => {
    return (
      type === 'members.added' && [workspace_id, created.workspace_id].includes(aggregate_id.split('/')[0])
    )
  })
  expect(added.map(({ data }) => data)).toMatchObject([
    { workspace_id, role: 'owner' },
    { workspace_id: created.workspace_id, user_id, role: 'owner' },
  ])
})

test('compute settings: an event for a change, none for a request that changes nothing', async () => {
  const { cluster_id, api_token, workspace_id } = running.dev
  const path = `/clusters/${cluster_id}/compute_settings`
  const { etag, max_machines } = await send('GET', path, api_token)
  const patch = (tag: unknown, body: object) =>
    send('PATCH', path, api_token, { body, headers: { 'if-match': String(tag) } })
  const first = await patch(etag, { max_machines: Number(max_machines) + 1 })
  await patch(first.etag, { max_machines: Number(max_machines) + 1 })
  const second = await patch(first.etag, { auto_scaling_enabled: false })
  const data = { workspace_id, max_machines: Number(max_machines) + 1 }
  // Including its creation.
  expect(brief(await eventsOf(cluster_id, 3)).slice(1)).toEqual([
    { type: 'compute_settings.updated', data: { ...data, etag: first.etag, auto_scaling: 'active' } },
    { type: 'compute_settings.updated', data: { ...data, etag: second.etag, auto_scaling: 'inactive' } },
  ])
})

test('a cluster: created, renamed, deleted; no event for the name that it already has', async () => {
  const { workspace_id, owner } = running.dev
  const manage = (method: string, path: string, body?: object) =>
    send(method, path, owner.session_token, { workspace: workspace_id, body })
  const { id } = await manage('POST', '/clusters', { name: 'told' })
  await manage('PATCH', `/clusters/${id}`, { name: 'told' })
  await manage('PATCH', `/clusters/${id}`, { name: 'renamed' })
  await manage('PATCH', `/clusters/${id}`, { name: 'renamed' })
  await manage('PATCH', `/clusters/${id}`, { name: 'again' })
  await manage('DELETE', `/clusters/${id}`)
  const types = ['created', 'updated', 'updated', 'deleted']
  expect(brief(await eventsOf(String(id), 4))).toEqual(
    types.map(type => ({ type: `clusters.${type}`, data: { workspace_id } })),
  )
})

test('the secret of a cluster’s agent: created, rotated, revoked; no event where there is none to revoke', async () => {
  const { workspace_id, owner } = running.dev
  const manage = (method: string, path: string, body?: object) =>
    send(method, path, owner.session_token, { workspace: workspace_id, body })
  const { id } = await manage('POST', '/clusters', { name: 'told' })
  const path = `/clusters/${id}/agent_secret`
  await manage('POST', path)
  const { previous_expires_at } = await manage('POST', path, { grace_seconds: 600 })
  for (const _ of [1, 2]) await manage('DELETE', path)
  await manage('DELETE', `/clusters/${id}`)
  expect(brief(await eventsOf(String(id), 5))).toEqual([
    { type: 'clusters.created', data: { workspace_id } },
    { type: 'clusters.agent_secret_created', data: { workspace_id, previous_expires_at: null } },
    { type: 'clusters.agent_secret_created', data: { workspace_id, previous_expires_at } },
    { type: 'clusters.agent_secret_revoked', data: { workspace_id } },
    { type: 'clusters.deleted', data: { workspace_id } },
  ])
})

test('mail preferences: an event for a change, with what changed, and none for a repetition', async () => {
  const { workspace_id, member } = running.dev
  const path = `/workspaces/${workspace_id}/mail_preferences`
  const patch = (body: object) => send('PATCH', path, member.session_token, { body })
  for (const _ of [1, 2])
    expect(await patch({ order_received: false })).toMatchObject({ order_received: false })
  await patch({ order_received: true, order_placed: true })
  const { id: user_id } = await send('GET', '/user', member.session_token)
  const stored = await eventsOf(`${workspace_id}/${user_id}`, 3)
  const own = stored.filter(({ type }) => type === 'mail_preferences.updated')
  expect(own.map(({ data, changes }) => ({ data, changes }))).toEqual([
    { data: { workspace_id, user_id }, changes: { order_received: { before: true, after: false } } },
    { data: { workspace_id, user_id }, changes: { order_received: { before: false, after: true } } },
  ])
})

test('orders: each transition once and in order, installs, and the revocation of an offer', async () => {
  const { dev, sql, baseUrls } = running
  const { workspace_id, cluster_id } = dev
  const made = await useOrders({ dev, sql, baseUrl: baseUrls[0] ?? '' })
  const { offer_id, install_id } = made
  const data = { workspace_id, customer_workspace_id: workspace_id, offer_id }
  const ways = {
    completed: ['created', 'awaiting_approval', 'awaiting_checkout', 'completed'],
    rejected: ['created', 'awaiting_approval', 'rejected'],
    ending: ['created', 'awaiting_approval', 'ends_soon', 'cancelled'],
    cancelled: ['created', 'cancelled'],
    expired: ['created', 'expired'],
    revoked: ['created', 'cancelled'],
  }
  for (const [name, way] of Object.entries(ways)) {
    expect(brief(await eventsOf(made[name as keyof typeof ways], way.length))).toEqual(
      way.map(state => ({ type: `orders.${state}`, data })),
    )
  }
  const { product_id, package_version_id, subscription } = await send(
    'GET',
    `/installs/${install_id}`,
    dev.api_token,
  )
  const own = { workspace: workspace_id }
  const { credential } = await send(
    'POST',
    `/installs/${install_id}/credential`,
    dev.owner.session_token,
    own,
  )
  const headers = { 'svc-install-credential': String(credential) }
  for (const _ of [1, 2]) await send('GET', `/installs/${install_id}/field_values`, '', { headers })
  await send('POST', `/installs/${install_id}/remove`, dev.api_token)
  const { provider, paid_through, grace_until } = subscription as Record<string, unknown>
  const ofSubscription = { ...data, order_id: made.completed, provider, paid_through, grace_until }
  expect(brief(await eventsOf(install_id, 6))).toEqual([
    {
      type: 'installs.created',
      data: { ...data, order_id: made.completed, product_id, package_version_id, cluster_id },
    },
    { type: 'subscriptions.started', data: { ...ofSubscription, cancel_at: null, end_reason: null } },
    { type: 'installs.credential_created', data: { workspace_id } },
    { type: 'installs.values_read', data: { workspace_id } },
    { type: 'installs.removed', data: { ...data, order_id: made.completed, cluster_id } },
    {
      type: 'subscriptions.cancel_planned',
      data: { ...ofSubscription, cancel_at: paid_through, end_reason: 'removed' },
    },
  ])
  expect(brief(await eventsOf(offer_id, 2))).toMatchObject([
    { type: 'offers.created' },
    { type: 'offers.revoked', data: { workspace_id } },
  ])
})

test('a webhook endpoint: created, changed, paused, resumed, disabled, deleted', async () => {
  const { workspace_id, owner } = running.dev
  const call = (method: string, path: string, body?: object) =>
    send(method, path, owner.session_token, { body, workspace: workspace_id })
  const receiver = await startReceiver(() => ({ status: 410 }))
  onTestFinished(receiver.stop)
  const { id } = await call('POST', '/webhook_endpoints', {
    url: receiver.url,
    event_types: ['clusters.created'],
  })
  const endpoint = `/webhook_endpoints/${id}`
  for (const _ of [1, 2]) await call('PATCH', endpoint, { event_types: ['clusters.*'] })
  for (const _ of [1, 2]) await call('POST', `${endpoint}/pause`)
  for (const _ of [1, 2]) await call('POST', `${endpoint}/resume`)
  await call('POST', `${endpoint}/rotate_secret`, {})
  await call('POST', '/clusters', { name: 'told' })
  await eventsOf(String(id), 6)
  await call('DELETE', endpoint)
  const data = { workspace_id }
  const stored = await eventsOf(String(id), 7)
  expect(brief(stored)).toEqual([
    { type: 'webhook_endpoints.created', data },
    { type: 'webhook_endpoints.updated', data },
    { type: 'webhook_endpoints.paused', data },
    { type: 'webhook_endpoints.resumed', data },
    { type: 'webhook_endpoints.secret_rotated', data },
    { type: 'webhook_endpoints.disabled', data: { workspace_id, reason: 'gone' } },
    { type: 'webhook_endpoints.deleted', data },
  ])
  expect(stored[1]?.changes).toEqual({ event_types: { before: ['clusters.created'], after: ['clusters.*'] } })
})

test('GET /events goes on from the cursor of an event of the stream, in the same order', async () => {
  const { api_token, product_id } = running.dev
  const ids: string[] = []
  for (let n = 0; n < 4; n++)
    ids.push(String((await send('POST', '/offers', api_token, { body: { product_id } })).id))
  const stored = await followed.eventsWhere(4, ({ aggregate_id }) => ids.includes(aggregate_id))
  expect(stored.map(({ aggregate_id }) => aggregate_id)).toEqual(ids)
  const page = (cursor = '') =>
    send('GET', `/events?order=asc&type=offers.created&cursor=${cursor}`, api_token)
  expect(await page(stored[1]?.cursor)).toMatchObject({
    data: [{ id: stored[2]?.id }, { id: stored[3]?.id }],
  })
})

test('every type that no example causes was published, and nothing is left in an outbox', async () => {
  const types = new Set<string>(followed.stored.map(({ type }) => type))
  expect(eventsWithoutExample.filter(type => !types.has(type))).toEqual([])
  const { sql } = running
  const [now] = await sql`select now()::text as now`
  await waitUntil('outboxes that are empty of what this file did', async () => {
    const rows = await sql`
      select created_at from offers.outbox union all select created_at from auth_tokens.outbox
      union all select created_at from compute.outbox union all select created_at from activity.outbox`
    return rows.every(row => row.created_at > new Date(now?.now))
  })
})

test('each service has the same outbox', async () => {
  const outbox = async (service: string) => {
    const file = new URL(`../../services/${service}/migrations/0001_init.sql`, import.meta.url)
    return /^create table outbox [\s\S]*?^\);$/m.exec(await readFile(file, 'utf8'))?.[0]
  }
  const offers = await outbox('offers')
  expect(offers).toContain('create table outbox')
  expect(await outbox('auth-tokens')).toBe(offers)
  expect(await outbox('compute')).toBe(offers)
  expect(await outbox('activity')).toBe(offers)
})
