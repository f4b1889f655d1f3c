// A page of events reads a bounded number of them, however few its filters let through.
import { openPool } from '@svc/testing/open-pool'
import type { Database } from '@svc/runtime/database'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Filters, readEvents } from '../src/events/read-events.ts'
import { ensurePartitions } from '../src/keeping/partitions.ts'

let server: TestDatabase
let database: Database
const count = 5001
/** Unix seconds of event `count`. */
const latest = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  server = await createTestDatabase()
  database = openPool(server.urls.activity)
  await ensurePartitions(() => database.sql, [(latest - count) * 1000, latest * 1000])
  const admin = postgres(server.adminUrl, { max: 1, connection: { search_path: 'activity' } })
  await admin`
    insert into events (
      position, workspace_id, id, type, aggregate_id, sequence, created_at, data, actor_id, audit_only
    )
    select n, 'ws_1', 'evt_' || n, case when n in (1, ${count}) then 'tests.rare' else 'tests.many' end, 'none', n,
      to_timestamp(${latest}) - make_interval(secs => ${count} - n), '{}',
      'user_1', n between 2 and ${count - 1}
    from generate_series(1, ${count + 1}) as n`
  await admin`update last_position set position = ${count + 1}`
  await admin.end()
})
afterAll(async () => {
  await database.close()
  await server.drop()
})

const read = (filters: Partial<Filters>) =>
  readEvents(database.sql, 'ws_1', { limit: 100, order: 'desc', ...filters } as Filters, 'without')
const idsOf = ({ data }: Awaited<ReturnType<typeof read>>) => data.map(({ id }) => id)

test.each<Partial<Filters>>([{}, { actor: 'user_1', type: 'tests.rare' }])(
  'a page of the newest with %j ends after 5,000 events, and the next one goes on',
  async filters => {
    const first = await read(filters)
    expect(idsOf(first).at(-1)).toBe(`evt_${count}`)
    const second = await read({ ...filters, cursor: first.next_cursor ?? '' })
    expect(second).toMatchObject({ data: [{ id: 'evt_1' }], next_cursor: null })
  },
)

test('a page of a time is the last one, whatever else there is', async () => {
  const times = { after: latest, before: latest + 1 }
  expect(await read(times)).toMatchObject({ data: [{ id: `evt_${count}` }], next_cursor: null })
})

test('a page of the oldest that is not full is the last one', async () => {
  expect(idsOf(await read({ order: 'asc', type: 'tests.rare' }))).toEqual(['evt_1', `evt_${count}`])
})
