// The outcomes of statements in the metrics.
import { scaled } from '@svc/contract/core/deadline-scale'
import { waitUntil } from '@svc/local/wait-until'
import { unhurried } from '@svc/testing/size'
import { amountIn } from '@svc/testing/deploy/exposition'
import { expect, test } from 'vitest'
import { coalesceStatements } from '../../src/coalesce-statements.ts'
import type { Database } from '../../src/database.ts'
import { databaseScene, inMs, lockMarks, mark, one, open, outcome } from './database-scene.ts'

databaseScene()

/** Every count, so that a statement that is counted twice or wrongly is noticed. */
async function counts({ metrics }: Database) {
  const statements = (how: string) => amountIn(metrics, 'svc_database_statements_total', { outcome: how })
  return {
    ok: await statements('ok'),
    refused: await statements('refused'),
    unavailable: await statements('unavailable'),
    timeout: await statements('timeout'),
    shed: await amountIn(metrics, 'svc_shed_total', { at: 'database' }),
    late: await amountIn(metrics, 'svc_deadline_drops_total', { at: 'database' }),
    ran: await amountIn(metrics, 'svc_database_statement_duration_seconds_count'),
    waited: await amountIn(metrics, 'svc_database_wait_seconds_count'),
  }
}

const none = { ok: 0, refused: 0, unavailable: 0, timeout: 0, shed: 0, late: 0, ran: 0, waited: 0 }

test('executed, and refused by PostgreSQL', async () => {
  const database = open()
  expect(await counts(database)).toEqual(none)
  await mark(database, 1)
  await one(database)
  await expect(mark(database, 1)).rejects.toMatchObject({ code: '23505' })
  expect(await counts(database)).toEqual({ ...none, ok: 2, refused: 1, ran: 3, waited: 3 })
})

test('ended by its deadline, while it ran and in the queue', async () => {
  const database = open()
  await one(database)
  const running = outcome(database.within(inMs(scaled(300)))`select pg_sleep(3600)`)
  const queued = outcome(mark(database, 1, inMs(100)))
  expect([(await queued).tag, (await running).tag]).toEqual(['Unavailable', 'Timeout'])
  expect(await counts(database)).toEqual({
    ...none,
    ok: 1,
    unavailable: 1,
    timeout: 1,
    late: 2,
    ran: 2,
    waited: 3,
  })
})

test('refused at the bound of the queue', async () => {
  const database = open({ DATABASE_QUEUE_LIMIT: 1 })
  await one(database)
  const lock = await lockMarks()
  const running = mark(database, 1)
  const waiting = one(database)
  expect((await outcome(one(database))).tag).toBe('Unavailable')
  expect(await amountIn(database.metrics, 'svc_queue_depth', { queue: 'database' })).toBe(1)
  expect(await amountIn(database.metrics, 'svc_database_connections', { state: 'busy' })).toBe(1)
  await lock.release()
  await Promise.all([running, waiting])
  expect(await counts(database)).toEqual({ ...none, ok: 3, unavailable: 1, shed: 1, ran: 3, waited: 3 })
})

test('without a server', async () => {
  const database = open({ DATABASE_URL: 'postgres://compute:pw@127.0.0.1:1/svc' })
  expect((await outcome(one(database))).tag).toBe('Unavailable')
  expect(await counts(database)).toEqual({ ...none, unavailable: 1, waited: 1 })
})

test('calls whose deadline passes while they wait for a slot in a batch', async () => {
  const database = open({ DATABASE_POOL_SIZE: 5 })
  const write = coalesceStatements<{ deadline: number; n: number }, null>(
    database,
    async (sql, items) => {
      await sql`insert into marks (n) select unnest(${items.map(({ n }) => n)}::bigint[])`
      return items.map(() => null)
    },
    { name: 'marks', maxBatch: 1 },
  )
  const drops = () => amountIn(database.metrics, 'svc_deadline_drops_total', { at: 'batch' })
  expect(await drops()).toBe(0)
  // As many as may be in progress at once.
  const lock = await lockMarks()
  const slow = [0, 1, 2, 3].map(n => write({ deadline: unhurried(), n }))
  await lock.waiting(4)
  const deadline = inMs(100)
  const late = [4, 5, 6].map(n => outcome(write({ deadline, n })))
  await waitUntil('the end of their time', () => Date.now() > deadline)
  expect(await amountIn(database.metrics, 'svc_queue_depth', { queue: 'marks' })).toBe(3)
  await lock.release()
  expect((await Promise.all(late)).map(({ tag }) => tag)).toEqual(Array(3).fill('Unavailable'))
  await Promise.all(slow)
  expect(await drops()).toBe(3)
})
