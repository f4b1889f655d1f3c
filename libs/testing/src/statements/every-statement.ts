/** Makes the services execute every statement that they have, each of them with rows to find. */

import { createHash } from 'node:crypto'
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { maskOf } from '@svc/contract/core/permissions'
import { offers } from '@svc/contract/offers/offers'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { connectAgent } from '../stack/agent.ts'
import { caller, type Driven, type DrivenStack, policy, sender } from '../stack/driven-stack.ts'
import type { TestUser } from '../stack/nats-config.ts'
import { useCi } from './every-ci-statement.ts'
import { useLeases } from './every-lease-statement.ts'
import { useNotices } from './every-mail-statement.ts'
import { useOrders } from './every-order-statement.ts'
import { useSeals } from './every-sealing-statement.ts'
import { useSignIn } from './every-sign-in-statement.ts'
import { useWebhooks } from './every-webhook-statement.ts'
import { useFilters } from './use-filters.ts'

export async function executeEveryStatement({ stack, dev, sql }: DrivenStack): Promise<void> {
  const silent = { info() {}, warn() {}, error() {} }
  const connect = (user: TestUser) => connectBus(stack.bus(user), silent)
  const backoffice = await connect('backoffice')
  const gateway = await connect('tests')
  const baseUrl = `${stack.gateways[0]?.url}/v1`
  const calls = { backoffice: createCall(backoffice), gateway: createCall(gateway) }
  const driven = { dev, baseUrl, sql, natsUrl: stack.natsUrl, ...calls }
  try {
    await useSignIn(driven)
    await useCi(driven)
    await useAgents(driven)
    await createOffers(driven)
    await useOrders(driven)
    await Promise.all([useSeals(driven), useLeases(driven)])
    await useClusters(driven)
    await useQuotas(driven)
    await useFilters(driven)
    await useWebhooks(driven)
    await useNotices(driven, stack.secrets?.sealing['auth-tokens'])
    await lastUsesAreWritten(driven)
    await rotateWithout(driven)
  } finally {
    await Promise.all([backoffice, gateway].map(bus => bus.close()))
  }
}

async function useAgents(driven: Driven) {
  const { dev, backoffice } = driven
  const { cluster_id: id } = dev
  const agent = await connectAgent(driven, { id, workspace: dev.workspace_id })
  await agent.settings()
  await invoke(backoffice, compute, 'revoke_agent_secret', {
    ...caller(dev.workspace_id),
    params: { id },
  })
  await agent.bus.close()
}

/** One is refused while an install refers to it; then it is deleted, and offers learns of it. */
async function useClusters({ dev, baseUrl, sql }: Driven) {
  const send = sender(baseUrl)
  const options = { workspace: dev.workspace_id }
  const own = (method: string, path: string, more: object = {}) =>
    send(method, path, dev.owner.session_token, { ...options, ...more })
  const create = async () => (await own('POST', '/clusters', { body: { name: 'plans' } })).id
  const used = `/clusters/${await create()}`
  const [install] = await sql`
    select id, cluster_id from offers.installs
    where customer_workspace_id = ${dev.workspace_id} and removed_at is null limit 1`
  if (install) {
    await sql`update offers.installs set cluster_id = ${used.slice(10)} where id = ${install.id}`
    await own('DELETE', used, { status: 409 })
    await sql`update offers.installs set cluster_id = ${install.cluster_id} where id = ${install.id}`
  }
  await own('DELETE', used)
  await sql`
    update offers.closed_clusters set closed_at = now() - interval '11 s' where cluster_id = ${used.slice(10)}`
  await waitUntil('the sweep of closed clusters', async () => {
    const [left] = await sql`
      select from offers.closed_clusters where cluster_id = ${used.slice(10)} and not removed`
    return !left
  })
}

/** A new product has to be read first; then offers are written at once, many by one statement, and with keys in every state. */
async function createOffers(driven: Driven) {
  const { dev, baseUrl, sql } = driven
  const { workspace_id, package_version_id } = dev
  const send = sender(baseUrl)
  const { product_id, offer_channel_id, current } = await newProduct(driven)
  const create = (body: object, key?: string, status = 201) =>
    send('POST', '/offers', dev.api_token, { body, status, headers: key ? { 'idempotency-key': key } : {} })

  const [unknown, refused, abandoned, over] = ['unknown', 'refused', 'abandoned', 'over'].map(
    name => `${name}-${product_id}`,
  )
  await create({ product_id, field_values: { nothing: { value: 1, locked: false } } }, refused, 422)
  await create({ product_id }, unknown)
  await create({ product_id }, unknown)
  await create({ product_id, offer_channel_id }, `channel-${product_id}`)
  await create({ product_id })
  await create({ package_version_id, field_values: { seats: { value: 1, locked: false } } })
  for (const [key, seats, status] of [
    ['reserved', 1, 201],
    ['released', 'many', 422],
  ] as const) {
    await pinUnreadVersion(driven, product_id)
    const field_values = { seats: { value: seats, locked: false } }
    await create({ product_id, field_values }, `${key}-${product_id}`, status)
  }
  await Promise.all(Array.from({ length: 40 }, (_, n) => create({ product_id }, `many-${n}-${product_id}`)))
  await send('GET', '/installs', dev.api_token)

  // An attempt that died: another one takes its reservation over; one whose day is over is purged.
  const reservation = async (key: string | undefined, from: string) => sql`
    insert into offers.idempotency_keys (
      workspace_id, key, intent, package_version_id, fence, lease_until, free_at, created_at
    )
    select workspace_id, ${key ?? ''}, intent, ${current}, nextval('offers.fences'), now() + ${from}::interval + interval '1 minute',
      now() + ${from}::interval + interval '1 day', now()
    from offers.idempotency_keys where workspace_id = ${workspace_id} and key = ${unknown ?? ''}`
  await reservation(abandoned, '0 days')
  await create({ product_id }, abandoned)
  await reservation(over, '-2 days')
  await create({ product_id }, over)
}

async function newProduct({ dev: { workspace_id }, backoffice: call }: Driven) {
  const admin = caller(workspace_id)
  const name = 'New'
  const { id: package_id } = await invoke(call, offers, 'create_package', { ...admin, body: { name } })
  const { id: current } = await invoke(call, offers, 'create_package_version', {
    ...admin,
    params: { id: package_id },
    body: { version: '1.0.0', input_schema: schema },
  })
  const { id: product_id } = await invoke(call, offers, 'create_product', {
    ...admin,
    body: { name, package_id, current_package_version_id: current },
  })
  const { id: offer_channel_id } = await invoke(call, offers, 'create_offer_channel', {
    ...admin,
    body: { product_id, name },
  })
  await invoke(call, offers, 'create_channel_policy', {
    ...admin,
    params: { id: offer_channel_id },
    body: { policy, activate: true },
  })
  return { product_id, offer_channel_id, current }
}

const schema = { type: 'object', properties: { seats: { type: 'integer' } } }

/** Makes a version whose schema no process has compiled yet the product's current one: the key is reserved meanwhile. */
async function pinUnreadVersion({ dev: { workspace_id }, backoffice, sql }: Driven, product_id: string) {
  const id = newId('pkgv')
  const text = JSON.stringify({ ...schema, title: id })
  const hash = createHash('sha256').update(text).digest('hex')
  await sql`
    insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
    select ${id}, ${workspace_id}, package_id, ${id}, ${text}, ${hash} from offers.products where id = ${product_id}`
  const asked = { params: { id: product_id }, body: { current_package_version_id: id } }
  await invoke(backoffice, offers, 'update_product', { ...caller(workspace_id), ...asked })
}

/** Raised, and as they were again. */
async function useQuotas({ dev, backoffice }: Driven) {
  for (const most of [10_000, null]) {
    const body = { quota: 'products', most } as const
    await invoke(backoffice, offers, 'set_quota', { ...caller(dev.workspace_id), body })
  }
}

/** By a credential that may do less than the token. */
async function rotateWithout({ dev: { workspace_id: workspace }, gateway, sql }: Driven) {
  const [token] = await sql`select id from auth_tokens.api_tokens where workspace_id = ${workspace} limit 1`
  const can = maskOf(['api_tokens:write'])
  await invoke(gateway, authTokens, 'rotate_api_token', {
    caller: { kind: 'session', id: 'sess_1', user: 'user_1', workspace, role: 'owner', can },
    params: { id: String(token?.id) },
  }).catch(() => {})
}

/** They are written some seconds after the use. */
async function lastUsesAreWritten({ dev, baseUrl, sql }: Driven) {
  const send = sender(baseUrl)
  await sql`update auth_tokens.sessions set last_used_at = null where last_used_at is not null`
  await send('GET', '/installs', dev.api_token)
  await send('GET', '/installs', dev.member.session_token, { workspace: dev.workspace_id })
  await waitUntil(
    'the last use of a session',
    async () =>
      (await sql`select from auth_tokens.sessions where last_used_at is not null limit 1`).length > 0,
    { timeoutMs: 20_000, everyMs: 100 },
  )
}
