import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoadGenerator, startLoadGenerator } from '../src/load/load-generator.ts'
import { checkEtags, checkRows, countRows } from '../src/load/row-check.ts'
import { startRun } from '../src/load/window.ts'
import { answering, created, seed } from './answering.ts'

let database: TestDatabase
let sql: postgres.Sql
let generator: LoadGenerator

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.adminUrl, { max: 4, onnotice: () => {} })
  generator = await startLoadGenerator()
})
afterAll(async () => {
  generator?.close()
  await sql?.end({ timeout: 1 })
  await database?.drop()
})

const before = { offers: 10, keys: 4 }

test('as many rows as were acknowledged, with and without a key, pass', () => {
  const after = { offers: 10 + 7 + 5, keys: 4 + 7 }
  expect(checkRows(before, after, { product: 7, version: 5, tokens: 3 })).toEqual({
    acknowledged: 15,
    offers_written: 12,
    keys_written: 7,
  })
})

test.each([
  { what: 'a lost offer', after: { offers: 16, keys: 11 } },
  { what: 'an offer too many', after: { offers: 18, keys: 11 } },
  { what: 'a lost key', after: { offers: 17, keys: 10 } },
  { what: 'a key too many', after: { offers: 17, keys: 12 } },
])('$what is an error', ({ after }) => {
  expect(() => checkRows(before, after, { product: 7 })).toThrow('7 offers were acknowledged (7 with a key)')
})

test('lists and settings write no offers', () => {
  expect(() => checkRows(before, { offers: 11, keys: 4 }, { tokens: 3, settings: 2 })).toThrow(
    '0 offers were acknowledged (0 with a key), but 1 offers',
  )
})

test('a server that acknowledges without writing is detected', async () => {
  const { url, asked } = await answering(() => created)
  const subject = { urls: [url], seed, sql, pids: () => ({}) }
  const run = await startRun(subject, { generator, postgresPid: 0 }, { workload: 'product', connections: 4 })
  const five = async () => {
    while (asked.length < 5) await new Promise(setImmediate)
  }
  await run.during(five())
  await expect(run.end()).rejects.toThrow('but 0 offers and 0 keys were written')
})

test('a key without its offer does not count as written', async () => {
  await sql`
    insert into offers.idempotency_keys
      (workspace_id, key, intent, package_version_id, lease_until, free_at, created_at)
    values ('ws_1', 'k', 'i', 'pkgv_1', now(), now(), now())`
  expect(await countRows(sql)).toEqual({ offers: 0, keys: 0 })
})

test('settings other than those acknowledged last are detected', async () => {
  await sql`
    insert into compute.clusters (id, workspace_id, name, etag, updated_at)
    values ('clus_a', 'ws_1', 'a', 'e1', now()), ('clus_b', 'ws_1', 'b', 'e2', now())`
  await checkEtags(sql, { clus_a: 'e1', clus_b: 'e2' })
  await checkEtags(sql, {})
  await expect(checkEtags(sql, { clus_a: 'e1', clus_b: 'e3' })).rejects.toThrow('1 of 2 clusters')
  await expect(checkEtags(sql, { clus_x: 'e1' })).rejects.toThrow('1 of 1 clusters')
})
