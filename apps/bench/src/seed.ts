/** The same data for every variant: created once through the product's own operations, then copied by PostgreSQL. */
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { offers } from '@svc/contract/offers/offers'
import { seedDemo } from '@svc/local/seed-demo'
import type { Stack } from '@svc/local/stack'
import { newId } from '@svc/runtime/id'
import { provisionDatabase } from '@svc/runtime/migrate/provision-database'
import postgres from 'postgres'
import { type Servers, urlOfDatabase } from './servers.ts'
import { requestForm, type Seed } from './load/workloads.ts'

/** The database from which the variants' are copied. */
export const seedName = 'seed'
const furtherTokens = 30
const installs = 30

/**
 * Ends the seed with what no operation makes. Without statistics, as in a new installation: if PostgreSQL knew that a
 * table is tiny, it would plan to read all of it, and keep doing so while the load makes it large.
 */
export async function finishSeed(servers: Servers, seed: Seed): Promise<void> {
  const sql = postgres(urlOfDatabase(servers.postgres.url, seedName), { max: 1, onnotice: () => {} })
  await insertInstalls(sql, seed).finally(() => sql.end({ timeout: 1 }))
}

/** A copy of the seed under that name, for the services' roles and the administrator. */
export async function copySeed(servers: Servers, database: string): Promise<string> {
  await servers.sql`create database ${servers.sql(database)} template ${servers.sql(seedName)}`
  // What belongs to the database itself is not copied: who may connect, and each role's search path.
  await provisionDatabase(servers.postgres.url, servers.secrets.postgres, { database })
  return urlOfDatabase(servers.postgres.url, database)
}

/** Removes what the load has written, so that every variant starts with the same tables. */
export async function resetOffers(sql: postgres.Sql, seed: Seed): Promise<void> {
  await sql`truncate offers.installs, offers.idempotency_keys, offers.offers, offers.quota_sums cascade`
  await insertInstalls(sql, seed)
}

/** @param clusters is the number of connections that may send PATCH */
export async function fillSeed(stack: Stack, dataDir: string, clusters: number): Promise<Seed> {
  const baseUrl = `${stack.gateways[0]?.url}/v1`
  const demo = await seedDemo({ stack, dataDir, baseUrl })
  const { api_token, owner, workspace_id, product_id, package_version_id, offer_channel_id } = demo
  const permissions = ['offers:write', 'api_tokens:read', 'installs:read', 'clusters:settings'] as const
  let restricted_token = ''
  const bus = await connectBus(stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  try {
    const call = createCall(bus)
    const caller = { kind: 'internal', id: 'backoffice', workspace: workspace_id } as const
    for (let number = 1; number <= furtherTokens; number++) {
      await invoke(call, authTokens, 'create_api_token', { caller, body: { name: `token ${number}` } })
    }
    const body = { name: 'restricted', permissions: [...permissions] }
    restricted_token = (await invoke(call, authTokens, 'create_api_token', { caller, body })).token
    // As an operator would for a workspace that needs this many.
    await invoke(call, compute, 'set_quota', { caller, body: { quota: 'clusters', most: 10_000 } })
    for (const quota of ['offers', 'offer_bytes'] as const) {
      await invoke(call, offers, 'set_quota', { caller, body: { quota, most: 1e12 } })
    }
    for (let number = 1; number <= clusters; number++) {
      await invoke(call, compute, 'create_cluster', { caller, body: { name: `cluster ${number}` } })
    }
  } finally {
    await bus.close()
  }
  return {
    token: api_token,
    restricted_token,
    owner_session: owner.session_token,
    ...{ workspace_id, product_id, package_version_id, offer_channel_id },
  }
}

/** As customers of other workspaces would have created them, without a request for each. */
async function insertInstalls(sql: postgres.Sql, seed: Seed): Promise<void> {
  const { workspace_id, product_id, package_version_id } = seed
  const { allowed_emails, pricing_request, ...body } = JSON.parse(requestForm('product', seed).body ?? '{}')
  const created_at = '2026-01-01T00:00:00Z'
  for (let number = 1; number <= installs; number++) {
    const offer = {
      ...body,
      pricing_request,
      allowed_emails,
      id: newId('offer'),
      short_hash: `seed${10_000_000 + number}`,
      workspace_id,
      package_version_id,
      field_values: {},
      terms: {
        approval: 'automatic',
        checkout: 'none',
        support: null,
        payment_instructions: null,
        commercial_mode: 'paid',
        price: pricing_request,
      },
      created_by: { kind: 'internal', id: 'bench' },
      created_at,
    }
    await sql`
      insert into offers.offers
      select * from jsonb_populate_record(null::offers.offers, ${sql.json(offer)})`
    const order = newId('order')
    await sql`
      insert into offers.orders (
        id, workspace_id, offer_id, customer_workspace_id, holder, state, field_values, expires_at, created_at, updated_at
      )
      values (
        ${order}, ${workspace_id}, ${offer.id}, ${workspace_id}, 'user_bench', 'completed', '{}', 0, ${created_at}, ${created_at}
      )`
    await sql`
      insert into offers.installs (
        id, workspace_id, offer_id, order_id, customer_workspace_id, product_id, package_version_id, field_values, state,
        created_at
      )
      values (
        ${newId('inst')}, ${workspace_id}, ${offer.id}, ${order}, ${workspace_id}, ${product_id}, ${package_version_id}, '{}',
        'started', ${created_at}
      )`
  }
}
