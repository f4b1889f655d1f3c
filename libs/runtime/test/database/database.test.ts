import { scaled } from '@svc/contract/core/deadline-scale'
import { ApiError } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { sized, unhurried } from '@svc/testing/size'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database.ts'
import { statementTimeout } from '../../src/database-connection.ts'
import {
  admin,
  backends,
  databaseScene,
  direct,
  disconnected,
  inMs,
  lockMarks,
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

  test.each([
    ['the usual', unhurried],
    ['another', () => inMs(scaled(3900))],
  ])(
    'an undefined parameter is an internal error and holds up no statement that is due when it is (%s statement timeout)',
    async (_, due) => {
      const database = open()
      await one(database)
      const deadline = due()
      const { error } = await outcome(database.within(deadline)`select ${undefined}::text`)
      expect(error).not.toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ code: 'UNDEFINED_VALUE' })
      expect(await one(database, deadline)).toBe(1)
    },
  )
})

describe('deadlines', () => {
  test('a statement ends at the deadline of its call, also on the server', async () => {
    const database = open()
    await one(database)
    const { tag } = await outcome(database.within(inMs(scaled(500)))`select pg_sleep(3600)`)
    expect(tag).toBe('Timeout')
    await waitUntil('its end on the server', async () =>
      (await backends()).every(({ state }) => state === 'idle'),
    )
    expect(await one(database)).toBe(1)
  })

  test.each([
    [60_000, 4000],
    [4500, 4000],
    [3000, 2000],
    [1500, 1000],
    [900, 500],
    [400, 250],
    [200, 100],
    [90, 50],
    [20, 50],
  ])('with %i ms left the statement timeout is %i ms', (ms, expected) => {
    expect(statementTimeout(scaled(ms))).toBe(scaled(expected))
  })

  const short = () => inMs(scaled(3900))
  const timeoutMs = async (database: Database, deadline: number) => {
    const [row] = await database.within(deadline)<{ ms: number }>`
      select setting::int as ms from pg_settings where name = 'statement_timeout'`
    return row?.ms
  }

  test('each statement has the timeout of its call, and the next one has its own', async () => {
    const database = open()
    await one(database)
    expect(await timeoutMs(database, short())).toBe(scaled(2000))
    expect(await timeoutMs(database, unhurried())).toBe(scaled(4000))
    expect(await backends()).toHaveLength(1)
  })

  test.each([
    ['short', short],
    ['long', unhurried],
  ])('a new connection has the statement timeout of its call (before it: a %s one)', async (_, before) => {
    const proxy = await startTcpProxy(direct)
    onTestFinished(() => proxy.close())
    const database = open({ DATABASE_URL: proxy.url })
    await timeoutMs(database, before())
    await terminate()
    await disconnected(proxy)
    expect(await timeoutMs(database, unhurried())).toBe(scaled(4000))
    expect(await timeoutMs(database, short())).toBe(scaled(2000))
  })

  test('a statement whose deadline has passed is not executed', async () => {
    const database = open()
    expect((await outcome(mark(database, 1, Date.now() - 1))).tag).toBe('Unavailable')
    await one(database)
    expect(await marked()).toEqual([])
  })

  test('one that waits in the queue ends at its own deadline, whatever waits before it', async () => {
    const database = open()
    const lock = await lockMarks()
    const [busy, patient] = [mark(database, 0), mark(database, 1)]
    const deadline = inMs(200)
    const { tag, at } = await outcome(mark(database, 2, deadline))
    expect(tag).toBe('Unavailable')
    expect(at).toBeGreaterThanOrEqual(deadline)
    await lock.release()
    await Promise.all([busy, patient])
    expect(await marked()).toEqual([0, 1])
  })
})

test('a session is what statements rely on, whatever its role has been given', async () => {
  const [row] = await admin<{ name: string }[]>`select current_database() as name`
  const role = `role compute in database ${row?.name}`
  for (const setting of [
    "statement_timeout = '7s'",
    "idle_session_timeout = '7s'",
    'enable_seqscan = on',
    'plan_cache_mode = force_custom_plan',
    'default_transaction_isolation = serializable',
  ])
    await admin.unsafe(`alter ${role} set ${setting}`)
  onTestFinished(async () => {
    await admin.unsafe(`alter ${role} reset all`)
    await admin.unsafe(`alter ${role} set search_path = compute`)
  })
  const settings = await open().within(unhurried())<{ name: string; setting: string }>`
    select name, setting from pg_settings
    where name in ('statement_timeout', 'idle_session_timeout', 'enable_seqscan', 'plan_cache_mode', 'transaction_isolation')`
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    statement_timeout: `${scaled(4000)}`,
    idle_session_timeout: `${scaled(4000)}`,
    enable_seqscan: 'off',
    plan_cache_mode: 'force_generic_plan',
    transaction_isolation: 'read committed',
  })
})

describe('the queue', () => {
  test('past the limit a statement is refused with 503 while others wait, and below it all are executed', async () => {
    const database = open({ DATABASE_POOL_SIZE: 2, DATABASE_QUEUE_LIMIT: 3 })
    await Promise.all([one(database), one(database), one(database)])
    const lock = await lockMarks()
    const accepted = [1, 2, 3, 4, 5].map(n => mark(database, n))
    const refused = await Promise.all([6, 7, 8].map(n => outcome(mark(database, n))))
    await lock.waiting(2)
    await lock.release()
    for (const { error } of refused) {
      expect(error).toMatchObject({
        tag: 'Unavailable',
        reason: 'overloaded',
        headers: { 'Retry-After': '1' },
      })
    }
    await Promise.all(accepted)
    expect(await marked()).toEqual([1, 2, 3, 4, 5])
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
  test('running statements may finish within their second, and later ones are refused', async () => {
    const database = open()
    await one(database)
    const lock = await lockMarks()
    const running = mark(database, 1)
    const closing = onOwnClock(() => database.close())
    expect((await outcome(mark(database, 2))).tag).toBe('Unavailable')
    await lock.waiting(1)
    await lock.release()
    await Promise.all([running, closing])
    expect(await marked()).toEqual([1])
    await waitUntil('no connection is left', async () => (await backends()).length === 0)
  })

  test('a database that was never used closes without a connection, and waits for no timer', async () => {
    const proxy = await startTcpProxy(direct)
    onTestFinished(() => proxy.close())
    await onOwnClock(() => open({ DATABASE_URL: proxy.url }).close())
    expect(proxy.accepted).toBe(0)
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

test('the deadlocked statement that is rolled back is refused with 503', async () => {
  const database = open({ DATABASE_POOL_SIZE: 2 })
  await admin`insert into compute.marks values (1), (2)`
  const gate = await admin.reserve()
  await gate`select pg_advisory_lock(1)`
  // They lock their rows in opposite orders: each has the first one when the gate opens.
  const crossed = [
    database.sql`with a as (update marks set word = 'a' where n = 1 returning pg_advisory_xact_lock_shared(1)),
      b as (update marks set word = 'a' from a where n = 2 returning 1) select * from b`,
    database.sql`with a as (update marks set word = 'b' where n = 2 returning pg_advisory_xact_lock_shared(1)),
      b as (update marks set word = 'b' from a where n = 1 returning 1) select * from b`,
  ].map(outcome)
  await waitUntil('both at the gate', async () => {
    const waiting = await admin`
      select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
    return waiting.length === 2
  })
  await gate`select pg_advisory_unlock(1)`
  gate.release()
  expect((await Promise.all(crossed)).map(({ tag }) => tag).sort()).toEqual(['Unavailable', 'done'])
})

test('a wrong password is reported as such', async () => {
  const url = new URL(direct)
  url.password = 'wrong'
  const database = open({ DATABASE_URL: url.href })
  expect((await outcome(one(database))).error).toMatchObject({ name: 'PostgresError', code: '28P01' })
})
