// Sweeps over large tables find their rows by an index, instead of reading it from its beginning to its end. A general plan
// (docs/inside/database.md) chooses by what it expects, so small tables do not show it.
import type { Sql } from '@svc/runtime/database'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import { openPool } from '@svc/testing/open-pool'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { keepEvents } from '../../../services/activity/src/keeping/keep-events.ts'
import { ensurePartitions } from '../../../services/activity/src/keeping/partitions.ts'
import { wakeEndpoints } from '../../../services/activity/src/deliveries/wake-endpoints.ts'
import { newEvent } from '../../../services/activity/test/new-event.ts'
import { warnOfExpiry } from '../../../services/auth-tokens/src/mail/notices/warn-of-expiry.ts'

const rows = 20_000

let database: TestDatabase
let admin: postgres.Sql
beforeAll(async () => {
  database = await createTestDatabase()
  admin = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
  await admin`set session_replication_role = replica`
  await admin`
    insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at, expires_at, warn_at)
    select 'tok_' || lpad(n::text, 10, '0'), 'ws_' || n % 100, 'token', sha256(n::text::bytea), 'abcd', now(), now() + interval '1 day' * n,
      now() + interval '1 day' * (n - 2)
    from generate_series(1, ${rows}::int) n`
  await admin`
    insert into activity.webhook_endpoints (id, workspace_id, url, event_types, description, secret, created_at, created_by, position, due_at)
    select 'whe_' || lpad(n::text, 10, '0'), 'ws_' || n, 'https://large.example/', '["orders.*"]', '', 'none', now(), 'user_1', 0, 'infinity'
    from generate_series(1, ${rows}::int) n`
  const activity = openPool(database.urls.activity, 1)
  await ensurePartitions(() => activity.sql, [Date.now()])
  await activity.close()
  await admin`
    insert into activity.events (position, workspace_id, id, type, aggregate_id, sequence, created_at, data, audit_only)
    select n, 'ws_' || n % 1000, 'evt_' || n, 'offers.created', 'offer_1', n, now(), '{}', false from generate_series(1, ${5 * rows}::int) n`
  await admin`update activity.last_position set position = ${5 * rows}`
  await admin`update activity.webhook_wakes set position = ${5 * rows}`
  await admin`vacuum (analyze) auth_tokens.api_tokens, activity.webhook_endpoints, activity.events`
})
afterAll(async () => {
  await admin?.end({ timeout: 1 })
  await database?.drop()
})

/** How many rows of the table the service reads by indexes. */
async function readOf(table: string, work: (sql: Sql) => Promise<unknown>) {
  const pool = openPool(database.urls[table.startsWith('activity') ? 'activity' : 'auth_tokens'], 1)
  onTestFinished(() => pool.close())
  const read = async () => {
    await pool.sql`select pg_stat_force_next_flush()`
    const [row] = await admin`
      select idx_tup_fetch::int as n from pg_stat_user_tables where relid = ${table}::regclass`
    return row?.n as number
  }
  const before = await read()
  await work(pool.sql)
  return (await read()) - before
}

test('the sweep that warns of API tokens that expire reads those that are due', async () => {
  const at = Date.now() / 1000
  const read = await readOf('auth_tokens.api_tokens', sql => warnOfExpiry(sql, at))
  const [left] =
    await admin`select count(*)::int as n from auth_tokens.api_tokens where warn_at <= to_timestamp(${at})`
  expect(left).toEqual({ n: 0 })
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})

test('the sweep that wakes webhook endpoints reads those of workspaces with new events', async () => {
  const pool = openPool(database.urls.activity)
  onTestFinished(() => pool.close())
  const data = JSON.stringify({ workspace_id: 'ws_1', customer_workspace_id: 'ws_2', offer_id: 'offer_1' })
  await keepEvents(pool.sql, [newEvent({ type: 'orders.created', data })])
  const read = await readOf('activity.webhook_endpoints', sql => wakeEndpoints(sql, Date.now() / 1000))
  const woken = await admin`select workspace_id from activity.webhook_endpoints where woken order by 1`
  expect(woken.map(({ workspace_id }) => workspace_id)).toEqual(['ws_1', 'ws_2'])
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(100)
})
