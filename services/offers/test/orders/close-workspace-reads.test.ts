// Whether an order keeps a workspace open is found at once, however many it once had, and others have.
import { planning } from '@svc/runtime/database-connection'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'

let server: TestDatabase
let own: postgres.Sql

beforeAll(async () => {
  server = await createTestDatabase()
  own = postgres(server.urls.offers, { max: 1, connection: planning })
  const admin = postgres(server.adminUrl, { max: 1, connection: { search_path: 'offers' } })
  await admin`set session_replication_role = replica`
  for (const [seller, customer, state] of [
    ['ws_old', 'ws_other', 'completed'],
    ['ws_other', 'ws_old', 'completed'],
    // What others have that goes on.
    ['ws_busy', 'ws_other', 'awaiting_approval'],
  ] as const) {
    await admin`
      insert into orders (
        id, workspace_id, offer_id, customer_workspace_id, holder, state, field_values, expires_at, created_at, updated_at
      )
      select 'order_' || ${seller} || lpad(n::text, 8, '0'), ${seller}, 'offer_1', ${customer}, 'user_' || n, ${state}, '{}', 0, now(), now()
      from generate_series(1, 1000) as n`
  }
  await admin`vacuum (analyze) orders`
  await admin.end()
})
afterAll(async () => {
  await own.end()
  await server.drop()
})

test('a workspace whose thousands of orders have all ended is closed without reading them', async () => {
  const [closed, read] = await own.begin(async tx => [
    (await tx`select * from close_workspace('ws_old', 4102444800000, false)`)[0],
    await tx`
      select sum(coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as rows from pg_stat_xact_user_tables
      where schemaname = 'offers' and relname = 'orders'`,
  ])
  expect(closed).toEqual({ used_order: null, used_install: null })
  expect(read[0]?.rows).toBeLessThan(10)
})
