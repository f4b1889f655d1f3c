import { ApiError } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { patience, sized } from '@svc/testing/size'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  admin,
  backends,
  databaseScene,
  direct,
  disconnected,
  inMs,
  mark,
  marked,
  one,
  open,
  outcome,
  terminate,
} from './database-scene.ts'
import { startTcpProxy } from './tcp-proxy.ts'

databaseScene()

describe('values', () => {
  test('numbers, nulls, JSON and arrays are stored as what they are', async () => {
    const { sql } = open()
    const hard = ['a', null, '', 'null', '"', '\\', '{,}', "é'\n", 'x y']
    const [row] = await sql`select
      ${9_007_199_254_740_991}::bigint as big, ${null}::text as none, ${true}::boolean as yes,
      ${sql.json({ a: [1, null] })}::jsonb as json, to_json(${hard}::text[]) as texts,
      to_json(${[1, 2 ** 40]}::bigint[]) as numbers, cardinality(${[]}::text[])::int as empty`
    expect(row).toEqual({
      big: 9_007_199_254_740_991,
      none: null,
      yes: true,
      json: { a: [1, null] },
      texts: hard,
      numbers: [1, 2 ** 40],
      empty: 0,
    })
  })

  test('what PostgreSQL refuses is passed on with its SQLSTATE, and the connection stays usable', async () => {
    const database = open()
    await mark(database, 1)
    await expect(mark(database, 1)).rejects.toMatchObject({ code: '23505', name: 'PostgresError' })
    expect(await one(database)).toBe(1)
    expect(await backends()).toHaveLength(1)
  })

  test.each([5000, 300])(
    'an undefined parameter is an internal error and holds up nothing (%i ms left)',
    async ms => {
      const database = open()
      const began = Date.now()
      const { error } = await outcome(database.within(inMs(ms))`select ${undefined}::text`)
      expect(error).not.toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: 'UNDEFINED_VALUE' })
      expect(await one(database)).toBe(1)
      expect(Date.now() - began).toBeLessThan(patience(250))
    },
  )
})

describe('deadlines', () => {
  test('a statement ends at the deadline of its call, also on the server', async () => {
    const database = open()
    await one(database)
    const deadline = inMs(300)
    const { tag, at } = await outcome(database.within(deadline)`select pg_sleep(10)`)
    expect(tag).toBe('Timeout')
    expect(at).toBeLessThan(deadline + patience(200))
    await waitUntil(
      'its end on the server',
      async () => (await backends()).every(({ state }) => state === 'idle'),
      { timeoutMs: patience(500) },
    )
    expect(await one(database)).toBe(1)
  })

  test.each([
    [60_000, '4s'],
    [4500, '4s'],
    [3000, '2s'],
    [1500, '1s'],
    [900, '500ms'],
    [400, '250ms'],
    [200, '100ms'],
    [90, '50ms'],
  ])('with %i ms left the statement timeout is %s', async (ms, expected) => {
    const database = open()
    await one(database)
    const show = (left: number) =>
      database.within(inMs(left))<{ statement_timeout: string }>`show statement_timeout`
    expect((await show(ms))[0]?.statement_timeout).toBe(expected)
    expect((await show(60_000))[0]?.statement_timeout).toBe('4s')
  })

  test.each([90, 60_000])(
    'a new connection has the statement timeout of its call (before it: %i ms)',
    async before => {
      const proxy = await startTcpProxy(direct)
      onTestFinished(() => proxy.close())
      const database = open({ DATABASE_URL: proxy.url })
      const show = (left: number) =>
        database.within(inMs(left))<{ statement_timeout: string }>`show statement_timeout`
      await show(before)
      await terminate()
      await disconnected(proxy)
      for (const [ms, expected] of [
        [60_000, '4s'],
        [200, '100ms'],
      ] as const) {
        expect((await show(ms))[0]?.statement_timeout).toBe(expected)
      }
    },
  )

  test('a statement whose deadline has passed is not executed', async () => {
    const database = open()
    expect((await outcome(mark(database, 1, Date.now() - 1))).tag).toBe('Unavailable')
    await one(database)
    expect(await marked()).toEqual([])
  })

  test('one that waits in the queue ends at its own deadline, whatever waits before it', async () => {
    const database = open()
    const busy = database.within(inMs(5000))`select pg_sleep(1)`
    const patient = mark(database, 1)
    const deadline = inMs(200)
    const { tag, at } = await outcome(mark(database, 2, deadline))
    expect(tag).toBe('Unavailable')
    expect(at).toBeGreaterThanOrEqual(deadline)
    expect(at).toBeLessThan(deadline + patience(200))
    await Promise.all([busy, patient])
    expect(await marked()).toEqual([1])
  })
})

describe('the queue', () => {
  test('past the limit a statement is refused at once with 503, and below it all are executed', async () => {
    const database = open({ DATABASE_POOL_SIZE: 2, DATABASE_QUEUE_LIMIT: 3 })
    await Promise.all([one(database), one(database), one(database)])
    const sleeping = [1, 2].map(() => database.within(inMs(5000))`select pg_sleep(0.5)`)
    const waiting = [1, 2, 3].map(n => mark(database, n))
    const began = Date.now()
    const refused = await Promise.all([4, 5, 6].map(n => outcome(mark(database, n))))
    expect(Date.now() - began).toBeLessThan(patience(50))
    for (const { error } of refused) {
      expect(error).toMatchObject({
        tag: 'Unavailable',
        reason: 'overloaded',
        headers: { 'Retry-After': '1' },
      })
    }
    await Promise.all([...sleeping, ...waiting])
    expect(await marked()).toEqual([1, 2, 3])
  })

  test('a pool of N uses at most N connections, and all of a burst is answered', async () => {
    const burst = sized(100, 500)
    const database = open({ DATABASE_POOL_SIZE: 3, DATABASE_QUEUE_LIMIT: burst })
    await Promise.all(Array.from({ length: burst }, (_, n) => mark(database, n)))
    expect(await marked()).toHaveLength(burst)
    expect((await backends()).length).toBeLessThanOrEqual(3)
  })

  test('with a queue of length zero the first statement is still executed', async () => {
    const database = open({ DATABASE_QUEUE_LIMIT: 0 })
    expect(await one(database)).toBe(1)
    expect(await one(database)).toBe(1)
  })
})

describe('closing', () => {
  test('running statements may finish, and later ones are refused', async () => {
    const database = open()
    await one(database)
    const running = database.within(inMs(5000))`insert into marks select 1 from pg_sleep(0.3)`
    const closing = Promise.all([running, database.close()])
    expect((await outcome(mark(database, 2))).tag).toBe('Unavailable')
    await closing
    expect(await marked()).toEqual([1])
    await waitUntil('no connection is left', async () => (await backends()).length === 0)
  })

  test('a database that was never used closes at once', async () => {
    const began = Date.now()
    await open().close()
    expect(Date.now() - began).toBeLessThan(patience(100))
  })
})

test('a read-only database refuses writes with 503, and can be read', async () => {
  const database = open()
  const [row] = await admin<{ name: string }[]>`select current_database() as name`
  const name = row?.name ?? ''
  await admin`alter database ${admin(name)} set default_transaction_read_only = on`
  onTestFinished(async () => {
    await admin`alter database ${admin(name)} reset default_transaction_read_only`
  })
  expect((await outcome(mark(database, 1))).error).toMatchObject({
    tag: 'Unavailable',
    reason: 'read_only',
    headers: { 'Retry-After': '1' },
  })
  expect(await one(database)).toBe(1)
})

test('of two deadlocked statements the one that is rolled back is refused with 503', async () => {
  const database = open({ DATABASE_POOL_SIZE: 2 })
  await admin`insert into compute.marks values (1), (2)`
  // They lock their rows in opposite orders.
  const crossed = [
    database.sql`with a as (update marks set word = 'a' where n = 1 returning pg_sleep(0.3)),
      b as (update marks set word = 'a' from a where n = 2 returning 1) select * from b`,
    database.sql`with a as (update marks set word = 'b' where n = 2 returning pg_sleep(0.3)),
      b as (update marks set word = 'b' from a where n = 1 returning 1) select * from b`,
  ].map(outcome)
  expect((await Promise.all(crossed)).map(({ tag }) => tag).sort()).toEqual(['Unavailable', 'done'])
})

test('a wrong password is reported as such', async () => {
  const url = new URL(direct)
  url.password = 'wrong'
  const database = open({ DATABASE_URL: url.href })
  expect((await outcome(one(database))).error).toMatchObject({ name: 'PostgresError', code: '28P01' })
})
