import { waitUntil } from '@svc/local/wait-until'
import { everything, patience, sized } from '@svc/testing/size'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../src/database.ts'
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
    for (let round = 0; round < sized(2, 5); round++) {
      const asked = outcome(database.within(inMs(5000))`select pg_sleep(5)`)
      await waitUntil('the statement runs', async () =>
        (await backends()).some(
          ({ state, query }) => state === 'active' && String(query).includes('pg_sleep'),
        ),
      )
      await terminate()
      expect((await asked).tag).toBe('Timeout')
      expect((await outcome(one(database))).tag).toBe('done')
    }
  })

  test('repeated under load: nothing acknowledged is lost, calls fail only with 503 and 504, and it recovers soon', async () => {
    const database = open({ DATABASE_POOL_SIZE: 4 })
    const acknowledged: number[] = []
    const tags = new Set<string>()
    const until = inMs(sized(700, 2000))
    let next = 0
    const writers = Array.from({ length: 20 }, async () => {
      while (Date.now() < until) {
        const n = next++
        const { tag } = await outcome(mark(database, n))
        tags.add(tag)
        if (tag === 'done') acknowledged.push(n)
      }
    })
    while (Date.now() < until - 100) await terminate()
    await Promise.all(writers)
    expect([...tags].filter(tag => !['done', 'Timeout', 'Unavailable'].includes(tag))).toEqual([])
    const present = new Set(await marked())
    expect(acknowledged.filter(n => !present.has(n))).toEqual([])
    const calmAt = Date.now()
    await waitUntil('well', async () =>
      (await Promise.all(Array.from({ length: 40 }, () => outcome(one(database))))).every(
        ({ tag }) => tag === 'done',
      ),
    )
    expect(Date.now() - calmAt).toBeLessThan(patience(1000))
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
    (['FIN', 'RST'] as const)
      .flatMap((how, at) => [0, 1, 2, 3, 4, 5, 6, 7].map(chunks => ({ how, chunks, odd: (at + chunks) % 2 })))
      .filter(({ odd }) => everything || odd === 0)
      .map(({ how, chunks }) => [how, chunks] as const),
  )(
    'cut by %s after %i chunks: a documented refusal, and the next statement is executed',
    async (how, chunks) => {
      proxy.cutAfter(chunks, how)
      for (let n = 0; n < 3; n++) {
        const { tag } = await outcome(mark(database, n, inMs(1000)))
        expect(['done', 'Timeout', 'Unavailable']).toContain(tag)
      }
      proxy.cutAfter(undefined, how)
      const began = Date.now()
      await waitUntil('an answer', async () => (await outcome(one(database))).tag === 'done')
      expect(Date.now() - began).toBeLessThan(patience(1000))
    },
  )

  test.each(['FIN', 'RST'] as const)(
    'cut by %s in the middle of a result: the next result is whole',
    async how => {
      await one(database)
      proxy.cutAfter(8, how)
      const big = outcome(
        database.within(inMs(2000))`select n, repeat('x', 1000) as x from generate_series(1, 20000) n`,
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
    const deadline = inMs(300)
    const { tag, at } = await outcome(mark(database, 1, deadline))
    expect(tag).toBe('Unavailable')
    expect(at).toBeLessThan(deadline + patience(200))
    proxy.release()
    await mark(database, 2)
    await one(database)
    expect(await marked()).toEqual([2])
  })

  test('a statement that waited beyond its deadline for another to time out is not executed', async () => {
    await one(database)
    proxy.hold()
    const deadline = inMs(300)
    expect((await outcome(mark(database, 1, deadline))).at).toBeLessThan(deadline + patience(200))
    proxy.release()
    await mark(database, 2)
    expect(await marked()).toEqual([2])
  })

  test('a load balancer without a server: 503 at once, a bounded number of attempts, and nothing is executed late', async () => {
    proxy.refuse(true)
    const began = Date.now()
    const { tag, at } = await outcome(mark(database, 1))
    expect(tag).toBe('Unavailable')
    expect(at - began).toBeLessThan(patience(250))
    const until = inMs(500)
    while (Date.now() < until) await outcome(mark(database, 1))
    expect(proxy.accepted).toBeLessThan(20)
    proxy.refuse(false)
    await waitUntil('an answer', async () => (await outcome(mark(database, 2))).tag === 'done', {
      timeoutMs: patience(1000),
    })
    expect(await marked()).toEqual([2])
  })

  test('a server that silently disappears is given up, and another connection is used', async () => {
    await one(database)
    proxy.forget()
    const deadline = inMs(300)
    const { tag, at } = await outcome(one(database, deadline))
    expect(tag).toBe('Timeout')
    expect(at).toBeLessThan(deadline + patience(200))
    await waitUntil('an answer', async () => (await outcome(one(database, inMs(500)))).tag === 'done', {
      timeoutMs: patience(2500),
    })
  })
})
