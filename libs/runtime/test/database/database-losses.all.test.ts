import { waitUntil } from '@svc/local/wait-until'
import { onOwnClock } from '@svc/testing/own-clock'
import { unhurried } from '@svc/testing/size'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database.ts'
import { leftNothingBehind } from '../../src/database-connection.ts'
import {
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
import { type TcpProxy, startTcpProxy } from './tcp-proxy.ts'

databaseScene()

describe('losses of the connection', () => {
  test('one during a statement leaves its outcome unknown, and the next statement is executed', async () => {
    const database = open()
    for (let round = 0; round < 5; round++) {
      const asked = outcome(database.within(unhurried())`select pg_sleep(3600)`)
      await waitUntil('the statement runs', async () =>
        (await backends()).some(
          ({ state, query }) => state === 'active' && String(query).includes('pg_sleep'),
        ),
      )
      await terminate()
      const { tag, error } = await asked
      expect([tag, leftNothingBehind(error)]).toEqual(['Timeout', false])
      expect((await outcome(one(database))).tag).toBe('done')
    }
  })

  test('repeated under load: nothing acknowledged is lost, calls fail only with 503 and 504, and it recovers', async () => {
    const database = open({ DATABASE_POOL_SIZE: 4 })
    const acknowledged: number[] = []
    const tags = new Set<string>()
    let next = 0
    let ended = false
    const writers = Array.from({ length: 20 }, async () => {
      while (!ended) {
        const n = next++
        const { tag } = await outcome(mark(database, n))
        tags.add(tag)
        if (tag === 'done') acknowledged.push(n)
      }
    })
    for (let loss = 0; loss < 100; loss++) {
      const before = acknowledged.length
      await waitUntil('more is written', () => acknowledged.length > before + 20, { everyMs: 1 })
      await terminate()
    }
    ended = true
    await Promise.all(writers)
    expect([...tags].filter(tag => !['done', 'Timeout', 'Unavailable'].includes(tag))).toEqual([])
    const present = new Set(await marked())
    expect(acknowledged.filter(n => !present.has(n))).toEqual([])
    await waitUntil('well', async () =>
      (await Promise.all(Array.from({ length: 40 }, () => outcome(one(database))))).every(
        ({ tag }) => tag === 'done',
      ),
    )
  })
})

describe('a network that fails', () => {
  let proxy: TcpProxy
  let database: Database
  beforeEach(async () => {
    proxy = await startTcpProxy(direct)
    onTestFinished(() => proxy.close())
    database = open({ DATABASE_URL: proxy.url })
  })

  test.each(
    (['FIN', 'RST'] as const).flatMap(how => [0, 1, 2, 3, 4, 5, 6, 7].map(chunks => [how, chunks] as const)),
  )(
    'cut by %s after %i chunks: a documented refusal, and the next statement is executed',
    async (how, chunks) => {
      proxy.cutAfter(chunks, how)
      for (let n = 0; n < 3; n++) {
        const { tag } = await outcome(mark(database, n))
        expect(['done', 'Timeout', 'Unavailable']).toContain(tag)
      }
      proxy.cutAfter(undefined, how)
      await waitUntil('an answer', async () => (await outcome(one(database))).tag === 'done')
    },
  )

  test.each(['FIN', 'RST'] as const)(
    'cut by %s in the middle of a result: the next result is whole',
    async how => {
      await one(database)
      proxy.cutAfter(8, how)
      const big = outcome(
        database.within(unhurried())`select n, repeat('x', 1000) as x from generate_series(1, 20000) n`,
      )
      expect((await big).tag).toBe('Timeout')
      proxy.cutAfter(undefined, how)
      await waitUntil('an answer', async () => (await outcome(one(database))).tag === 'done')
      const rows = await database.sql`select n from generate_series(1, 3) n`
      expect([...rows]).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    },
  )

  test('a loss while idle has no effect', async () => {
    await one(database)
    await terminate()
    await disconnected(proxy)
    expect(await one(database)).toBe(1)
  })

  test('a connection that is established after the deadline executes nothing', async () => {
    proxy.hold()
    expect((await outcome(mark(database, 1, inMs(300)))).tag).toBe('Unavailable')
    proxy.release()
    await mark(database, 2)
    await one(database)
    expect(await marked()).toEqual([2])
  })

  test('a statement that waited beyond its deadline for another to time out is not executed', async () => {
    await one(database)
    proxy.hold()
    expect((await outcome(mark(database, 1, inMs(300)))).tag).toBe('Timeout')
    proxy.release()
    await mark(database, 2)
    expect(await marked()).toEqual([2])
  })

  test('a load balancer without a server: a failed connection answers 503 to all that wait, the next follows after a pause, and nothing is executed late', () =>
    onOwnClock(async clock => {
      database = open({ DATABASE_URL: proxy.url })
      proxy.refuse(true)
      // The driver connects, and notices the end of a connection, by timers of a millisecond at most.
      const answers = async (n: number, count: number) => {
        const tags: string[] = []
        for (let at = 0; at < count; at++) void outcome(mark(database, n)).then(({ tag }) => tags.push(tag))
        await clock.tickAsync(100)
        await waitUntil('all answers', async () => {
          await clock.tickAsync(1)
          return tags.length === count
        })
        return new Set(tags)
      }
      for (const attempts of [1, 2, 3]) {
        expect(await answers(1, 10)).toEqual(new Set(['Unavailable']))
        expect(proxy.accepted).toBe(attempts)
      }
      proxy.refuse(false)
      expect(await answers(2, 1)).toEqual(new Set(['done']))
      expect(await marked()).toEqual([2])
    }))

  test('a server that silently disappears is given up, and another connection is used', async () => {
    await one(database)
    proxy.forget()
    expect((await outcome(one(database, inMs(300)))).tag).toBe('Timeout')
    expect(await one(database)).toBe(1)
    expect(proxy.accepted).toBe(2)
  })
})
