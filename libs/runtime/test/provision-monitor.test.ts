import { randomBytes } from 'node:crypto'
import { databaseRoles } from '@svc/contract/manifest'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { provisionMonitor } from '../src/migrate/provision-monitor.ts'

// Roles belong to the whole server, which others use at the same time.
const role = `monitor_${randomBytes(6).toString('hex')}`
let database: TestDatabase
let offers: postgres.Sql
let monitor: postgres.Sql

beforeAll(async () => {
  database = await createTestDatabase()
  const name = new URL(database.adminUrl).pathname.slice(1)
  await provisionMonitor(database.adminUrl, 'first', { database: name, role })
  await provisionMonitor(database.adminUrl, 'it’s "second"', { database: name, role })
  const url = Object.assign(new URL(database.adminUrl), { username: role, password: 'it’s "second"' })
  offers = postgres(database.urls.offers, { max: 1 })
  monitor = postgres(url.href, { max: 1 })
})
afterAll(async () => {
  await offers.end({ timeout: 1 })
  await monitor.end({ timeout: 1 })
  const admin = postgres(database.adminUrl, { max: 1 })
  await admin.unsafe(`drop owned by ${role}; drop role ${role}`)
  await admin.end({ timeout: 1 })
  await database.drop()
})

test('the role sees what other roles do, dead rows, ages and replicas', async () => {
  const [{ pid } = {}] = await offers`select pg_backend_pid() as pid`
  const [other] =
    await monitor`select usename, state, query from pg_stat_activity where pid = ${pid as number}`
  // A role without the right sees the row, and nothing in it.
  expect(other).toMatchObject({ usename: 'offers', state: 'idle', query: expect.stringContaining('select') })
  const dead =
    await monitor`select schemaname, n_dead_tup from pg_stat_user_tables where relname = 'outbox' order by 1`
  expect(dead.map(row => row.schemaname)).toEqual([...databaseRoles].sort())
  const [age] =
    await monitor`select age(datfrozenxid) as age from pg_database where datname = current_database()`
  expect(age?.age).toBeGreaterThan(0)
  await monitor`select replay_lsn from pg_stat_replication`
  await monitor`select pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) from pg_replication_slots`
})

test.each(['offers.outbox', 'auth_tokens.api_tokens', 'compute.clusters'])(
  'the monitor reads no row of %s',
  async table => {
    await expect(monitor.unsafe(`select from ${table}`)).rejects.toMatchObject({ code: '42501' })
  },
)

test('it takes no more than three connections', async () => {
  const [row] = await monitor`select rolconnlimit from pg_roles where rolname = ${role}`
  expect(row?.rolconnlimit).toBe(3)
})
