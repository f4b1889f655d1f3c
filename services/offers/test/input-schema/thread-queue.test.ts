// How many threads start, and whose turn it is. What the threads do is tested in threads.all.test.ts.
import { onOwnClock } from '@svc/testing/own-clock'
import { expect, onTestFinished, test } from 'vitest'
import type { Thread } from '../../src/input-schema/threads/thread.ts'
import { startThreadQueue } from '../../src/input-schema/threads/thread-queue.ts'

/** No task is late, and no thread idle for too long. */
const unhurried = { maxWaitMs: 600_000, idleMs: 600_000 }

test.each([
  { atOnce: 1, started: 1 },
  { atOnce: 2, started: 2 },
  { atOnce: 20, started: 3 },
])('$started of three threads start for $atOnce tasks at once', async ({ atOnce, started }) => {
  const threads: Thread[] = []
  const start = (): Thread => {
    const thread: Thread = {
      compiled: new Set(),
      call: async () => ({ kind: 'checked', problems: [], tooExpensive: false }),
      close: async () => {},
    }
    threads.push(thread)
    return thread
  }
  const queue = startThreadQueue({ threads: 3, maxWaiting: 100, ...unhurried, start })
  const work = {
    tenant: 'ws_1',
    hash: '',
    slow: false,
    perform: (thread: Thread) => thread.call({ kind: 'warm up' }, 1),
  }
  await Promise.all(Array.from({ length: atOnce }, () => queue.run(work)))
  // Tasks one after the other need no more threads.
  for (let i = 0; i < 5; i++) await queue.run(work)
  expect(threads).toHaveLength(started)
  await queue.close()
})

/** Threads whose tasks end when `end` says so, in the order in which they began. */
function scene({ threads = 1, maxWaiting = 100 } = {}) {
  const start = (): Thread => ({
    compiled: new Set(),
    call: async () => ({ kind: 'checked', problems: [], tooExpensive: false }),
    close: async () => {},
  })
  const queue = startThreadQueue({ threads, maxWaiting, ...unhurried, start })
  onTestFinished(() => queue.close())
  const begun: string[] = []
  const ends: (() => void)[] = []
  const refused: string[] = []
  const run = (tenant: string, slow = false) => {
    const perform = () =>
      new Promise<void>(resolve => {
        begun.push(tenant)
        ends.push(resolve)
      })
    queue.run({ tenant, hash: '', slow, perform }).catch(() => refused.push(tenant))
  }
  const times = (count: number, tenant: string) => {
    for (let at = 0; at < count; at++) run(tenant)
  }
  const end = async (count = 1) => {
    for (let at = 0; at < count; at++) {
      const before = begun.length
      ends.shift()?.()
      await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(before)
    }
  }
  return { run, times, begun, ends, end, refused }
}

test('a workspace with one task waits for at most one task of each other workspace, however many they have waiting', async () => {
  const { times, begun, end } = scene()
  times(50, 'ws_a')
  times(50, 'ws_b')
  times(1, 'ws_c')
  await expect.poll(() => begun.length).toBe(1)
  await end(3)
  expect(begun).toEqual(['ws_a', 'ws_b', 'ws_c', 'ws_a'])
})

test('when the queue is full, the workspace with the most waiting tasks makes room', async () => {
  const { times, begun, refused } = scene({ maxWaiting: 10 })
  times(10, 'ws_a')
  await expect.poll(() => begun.length).toBe(1)
  times(2, 'ws_a')
  await expect.poll(() => refused).toEqual(['ws_a'])
  times(3, 'ws_b')
  await expect.poll(() => refused).toEqual(['ws_a', 'ws_a', 'ws_a', 'ws_a'])
})

test('a workspace whose tasks take long leaves a thread to the others', () =>
  onOwnClock(async clock => {
    const { run, times, begun, ends } = scene({ threads: 2 })
    run('ws_long')
    await expect.poll(() => begun.length).toBe(1)
    clock.tick(60)
    ends.shift()?.()
    times(5, 'ws_long')
    await expect.poll(() => begun.length).toBe(2)
    run('ws_other')
    await expect.poll(() => begun).toEqual(['ws_long', 'ws_long', 'ws_other'])
    // And its check of a schema, which only one thread takes, starts when its other task has ended.
    run('ws_long', true)
    for (let at = 3; at < 8; at++) {
      await expect.poll(() => ends.length).toBeGreaterThan(0)
      for (const end of ends.splice(0)) end()
      await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(at)
    }
  }))
