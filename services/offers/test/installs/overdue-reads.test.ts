// Installs that are overdue are found by their subscriptions, however many installs the workspace has.
import { idRange } from '@svc/runtime/cursor'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import { openPool } from '@svc/testing/open-pool'
import type { Database } from '@svc/runtime/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findInstalls } from '../../src/installs/find-installs.ts'

let server: TestDatabase
let database: Database
let admin: postgres.Sql

beforeAll(async () => {
  server = await createTestDatabase()
  database = openPool(server.urls.offers, 1)
  admin = postgres(server.adminUrl, { max: 1, connection: { search_path: 'offers' } })
  await admin`set session_replication_role = replica`
  await admin`
    insert into installs (
      id, workspace_id, offer_id, order_id, customer_workspace_id, package_version_id, field_values, state, created_at
    )
    select 'inst_' || lpad(n::text, 8, '0'), 'ws_seller', 'offer_1', 'order_' || n, 'ws_buyer', 'pkgv_1', '{}', 'started', now()
    from generate_series(1, 20000) as n`
  await admin`
    insert into subscriptions (
      install_id, workspace_id, customer_workspace_id, provider, grace_days, first_paid_at, paid_through, known_at, told_state
    )
    select id, workspace_id, customer_workspace_id, 'manual', 7, 1, case when right(id, 4) = '0042' then 1 else 4102444800 end, 1, 'lapsed'
    from installs`
  await admin`vacuum (analyze) installs, subscriptions`
  // What was read until now would count later: a connection reports once a second.
  await admin`select pg_stat_force_next_flush()`
  await admin`select 1`
})
afterAll(async () => {
  await database.close()
  await admin.end()
  await server.drop()
})

test.each([
  ['owned', 'ws_buyer'],
  ['sold', 'ws_seller'],
] as const)('a page of overdue installs that are %s reads no other installs', async (relation, workspace) => {
  await admin`select pg_stat_reset_single_table_counters('installs'::regclass)`
  const wanted = {
    workspace,
    relation,
    subscription: 'overdue',
    range: idRange('inst', {}),
    limit: 25,
  } as const
  const { ids } = await findInstalls(database.sql, { ...wanted, now: Date.now() })
  expect(ids).toEqual(['inst_00010042', 'inst_00000042'])
  await database.sql`select pg_stat_force_next_flush()`
  await database.sql`select 1`
  const [read] = await admin`
    select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_user_tables
    where relid = 'installs'::regclass`
  expect(read?.rows).toBeGreaterThan(0)
  expect(read?.rows).toBeLessThan(10)
})
