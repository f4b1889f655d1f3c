// Calls that share statements, on a real server: each keeps its own result and its own deadline.
import { scaled } from '@svc/contract/core/deadline-scale'
import { waitUntil } from '@svc/local/wait-until'
import { sized, unhurried } from '@svc/testing/size'
import fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { coalesceStatements } from '../../src/coalesce-statements.ts'
import type { Database } from '../../src/database.ts'
import {
  admin,
  backends,
  databaseScene,
  direct,
  inMs,
  lockMarks,
  marked,
  open,
  outcome,
  terminate,
} from './database-scene.ts'
import { startTcpProxy } from './tcp-proxy.ts'

databaseScene()
beforeAll(async () => {
  await admin`create sequence compute.statements`
  await admin`grant all on sequence compute.statements to compute`
})
beforeEach(async () => void (await admin`alter sequence compute.statements restart`))

interface Mark {
  /** As text, so that PostgreSQL refuses what is not a number. */
  readonly n: number | string
  readonly deadline: number
}

/** Writes marks, each with the number of the statement that wrote it, and returns that number. */
const marker = (database: Database, options = {}) =>
  coalesceStatements<Mark, number>(
    database,
    async (sql, items) => {
      const rows = await sql<{ n: number; statement: number }>`
        with counted as materialized (select nextval('statements') as statement)
        insert into marks (n, word)
        select n::bigint, statement::text from counted, unnest(${items.map(({ n }) => String(n))}::text[]) as n
        returning n, word::bigint as statement`
      return items.map(({ n }) => rows.find(row => row.n === Number(n))?.statement ?? new Error(`no ${n}`))
    },
    { name: 'marks', ...options },
  )

/** Statements that were started, whatever their outcome. */
const statements = async () => {
  const [row] = await admin`select last_value, is_called from compute.statements`
  return row?.is_called ? Number(row.last_value) : 0
}
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)
const after = (deadline: number) => waitUntil('that time', () => Date.now() > deadline, { everyMs: 5 })

/** Until `release`, writing this mark waits to see whether it exists. */
async function holdMark(n: number) {
  const tx = await admin.reserve()
  await tx`begin`
  await tx`insert into compute.marks (n) values (${n})`
  return {
    async release() {
      await tx`rollback`
      tx.release()
    },
    awaited: () =>
      waitUntil('someone waits', async () => {
        const waiting = await admin`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return waiting.length > 0
      }),
  }
}

describe('calls that come at once', () => {
  test('share as few statements as possible, and each gets its own result', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    const written = await Promise.all(upTo(200).map(n => write({ n, deadline: unhurried() })))
    expect(await statements()).toBe(4)
    expect(await marked()).toEqual(upTo(200))
    const rows = await admin`select n, word from compute.marks order by n`
    expect(rows.map(({ word }) => Number(word))).toEqual(written)
  })

  test('share few statements under steady load, too', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    let next = 0
    const callers = upTo(50).map(async () => {
      for (let at = 0; at < 20; at++) await write({ n: next++, deadline: unhurried() })
    })
    await Promise.all(callers)
    expect(await marked()).toEqual(upTo(1000))
    expect(await statements()).toBeLessThan(200)
  })

  test('with the same key are sent once, if they read', async () => {
    const asked: number[] = []
    const read = coalesceStatements<Mark, number>(
      open(),
      async (sql, items) => {
        asked.push(items.length)
        const rows = await sql<{
          n: number
        }>`select n from unnest(${items.map(({ n }) => Number(n))}::bigint[]) as n`
        return rows.map(({ n }) => n)
      },
      { name: 'numbers', keyOf: ({ n }) => `${n}` },
    )
    const answers = upTo(50).map(n => read({ n: n % 5, deadline: unhurried() }))
    expect(await Promise.all(answers)).toEqual(upTo(50).map(n => n % 5))
    expect(asked).toEqual([5])
  })
})

describe('what PostgreSQL refuses for one item', () => {
  beforeEach(async () => void (await admin`insert into compute.marks (n) values (3), (7)`))

  test.each<[string, Mark['n'][], string]>([
    ['a row that exists', [3], '23505'],
    ['two rows that exist', [3, 7], '23505'],
    ['a value out of range', ['9223372036854775808'], '22003'],
    ['a value of another type', ['x'], '22P02'],
  ])('%s fails only that one, and its neighbours are written exactly once', async (_, bad, code) => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    const all = [...upTo(20).map(n => n + 100), ...bad]
    const ends = await Promise.all(all.map(n => outcome(write({ n, deadline: unhurried() }))))
    const errors = ends.map(({ error }) => (error as { code?: string } | undefined)?.code)
    expect(errors).toEqual([...upTo(20).map(() => undefined), ...bad.map(() => code)])
    expect(await marked()).toEqual([3, 7, ...upTo(20).map(n => n + 100)])
    // The one that was shared, and one for each.
    expect(await statements()).toBe(1 + all.length)
  })

  test('one of several items that exclude each other is written, whatever else is in the batch', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30), { minLength: 1, maxLength: 40 }), async ns => {
        await admin`truncate compute.marks`
        const ends = await Promise.all(ns.map(n => outcome(write({ n, deadline: unhurried() }))))
        const acknowledged = ns.filter((_, at) => ends[at]?.tag === 'done').sort((a, b) => a - b)
        expect(acknowledged).toEqual([...new Set(ns)].sort((a, b) => a - b))
        expect(await marked()).toEqual(acknowledged)
        const refused = ends.filter(({ error }) => error !== undefined)
        for (const { error } of refused) expect(error).toMatchObject({ code: '23505' })
      }),
      { numRuns: sized(10, 40) },
    )
  })
})

describe('deadlines', () => {
  test('a call whose deadline passed while it waited is Unavailable and not executed; those beside it are', async () => {
    const write = marker(open())
    await write({ n: 100, deadline: unhurried() })
    // Calls that share a statement with a late one have little time left themselves: on a busy machine not always
    // enough.
    for (let done = false; !done; ) {
      await admin`truncate compute.marks`
      const late = inMs(5)
      const ends = [late, inMs(scaled(95)), late, inMs(scaled(95))].map((deadline, n) =>
        outcome(write({ n, deadline })),
      )
      // The turn takes longer than their time.
      while (Date.now() <= late) {}
      const tags = (await Promise.all(ends)).map(({ tag }) => tag)
      expect([tags[0], tags[2]]).toEqual(['Unavailable', 'Unavailable'])
      expect((await marked()).filter(n => n % 2 === 0)).toEqual([])
      done = tags[1] === 'done' && tags[3] === 'done'
      if (done) expect(await marked()).toEqual([1, 3])
    }
  })

  test('if all calls are late, nothing is sent to the server', async () => {
    const write = marker(open())
    const late = inMs(5)
    const ends = upTo(10).map(n => outcome(write({ n, deadline: late })))
    while (Date.now() <= late) {}
    expect(new Set((await Promise.all(ends)).map(({ tag }) => tag))).toEqual(new Set(['Unavailable']))
    expect([await statements(), await marked()]).toEqual([0, []])
  })

  test('a call that waits for a slot beyond its deadline is Unavailable, and is not executed late', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 8 }), { maxBatch: 1 })
    const lock = await lockMarks()
    const first = upTo(4).map(n => outcome(write({ n, deadline: unhurried() })))
    await lock.waiting(4)
    const deadline = inMs(100)
    const late = outcome(write({ n: 99, deadline }))
    await after(deadline)
    await lock.release()
    expect((await late).tag).toBe('Unavailable')
    expect((await Promise.all(first)).map(({ tag }) => tag)).toEqual(Array(4).fill('done'))
    expect(await marked()).toEqual(upTo(4))
  })

  test.each([
    ['before', (short: number, long: number[]) => [short, ...long]],
    ['after', (short: number, long: number[]) => [...long, short]],
    ['among', (short: number, [first = 0, ...rest]: number[]) => [first, short, ...rest]],
  ])(
    'one call with little time left that comes %s others with much does not cut them short',
    async (_, arrange) => {
      const database = open({ DATABASE_POOL_SIZE: 4 })
      // No time is spent on opening connections.
      await Promise.all(upTo(4).map(() => database.sql`select 1`))
      const write = marker(database)
      const lock = await lockMarks()
      const short = inMs(scaled(90))
      const end = unhurried()
      const deadlines = arrange(short, [end, end, end])
      const ends = deadlines.map((deadline, n) => outcome(write({ n, deadline })))
      const { tag } = (await ends[deadlines.indexOf(short)]) ?? {}
      expect(tag).toMatch(/^(Timeout|Unavailable)$/)
      await lock.waiting(1)
      await lock.release()
      const expected = deadlines.map(deadline => (deadline === short ? tag : 'done'))
      expect((await Promise.all(ends)).map(one => one.tag)).toEqual(expected)
      expect(await marked()).toEqual(upTo(4).filter(n => deadlines[n] !== short))
    },
  )
})

describe('a statement that hangs', () => {
  test('does not hold up a later call, even if it is the last one', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    const row = await holdMark(0)
    const stuck = [0, 1].map(n => outcome(write({ n, deadline: unhurried() })))
    await row.awaited()
    expect((await outcome(write({ n: 2, deadline: unhurried() }))).tag).toBe('done')
    await row.release()
    expect((await Promise.all(stuck)).map(({ tag }) => tag)).toEqual(['done', 'done'])
    expect(await marked()).toEqual([0, 1, 2])
    expect(await statements()).toBe(2)
  })

  test('is joined by at most three others: later calls wait, and are executed once', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 8 }), { maxBatch: 5 })
    const lock = await lockMarks()
    const ends = upTo(60).map(n => outcome(write({ n, deadline: unhurried() })))
    await lock.waiting(4)
    await lock.release()
    expect((await Promise.all(ends)).map(({ tag }) => tag)).toEqual(Array(60).fill('done'))
    expect(await marked()).toEqual(upTo(60))
    expect(await statements()).toBe(12)
  })

  test('until its time is up fails all of its calls, and leaves nothing behind', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    const lock = await lockMarks()
    onTestFinished(() => lock.release())
    const deadline = inMs(300)
    const ends = await Promise.all(upTo(20).map(n => outcome(write({ n, deadline }))))
    for (const { tag } of ends) expect(tag).toMatch(/^(Timeout|Unavailable)$/)
    await waitUntil('their end on the server', async () =>
      (await backends()).every(({ state }) => state === 'idle'),
    )
    expect(await marked()).toEqual([])
  })
})

describe('a connection that is lost during a statement', () => {
  afterEach(async () => {
    await waitUntil('the end of all statements', async () =>
      (await backends()).every(({ state }) => state === 'idle'),
    )
  })

  test('fails every call in it with Timeout, and none is tried again', async () => {
    const write = marker(open({ DATABASE_POOL_SIZE: 4 }))
    const row = await holdMark(19)
    const ends = upTo(20).map(n => outcome(write({ n, deadline: unhurried() })))
    await row.awaited()
    await terminate()
    expect((await Promise.all(ends)).map(({ tag }) => tag)).toEqual(Array(20).fill('Timeout'))
    await row.release()
    expect(await write({ n: 100, deadline: unhurried() })).toBe(2)
    expect(await marked()).toEqual([100])
  })

  test.each(['FIN', 'RST'] as const)(
    'before its answer (%s) fails them with Timeout, and what was written is written once',
    async how => {
      const proxy = await startTcpProxy(direct)
      onTestFinished(() => proxy.close())
      const write = marker(open({ DATABASE_URL: proxy.url, DATABASE_POOL_SIZE: 4 }))
      await write({ n: 100, deadline: unhurried() })
      proxy.cutAfter(0, how)
      const ends = await Promise.all(upTo(20).map(n => outcome(write({ n, deadline: unhurried() }))))
      expect(ends.map(({ tag }) => tag)).toEqual(Array(20).fill('Timeout'))
      proxy.cutAfter(undefined, how)
      await waitUntil('an answer', async () => {
        const { tag } = await outcome(write({ n: 101, deadline: unhurried() }))
        return tag === 'done'
      })
      expect(await marked()).toEqual([...upTo(20), 100, 101])
      expect(await statements()).toBe(3)
    },
  )
})
