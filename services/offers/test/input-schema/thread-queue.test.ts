// How many threads start, and whose turn it is.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Thread } from '../../src/input-schema/threads/thread.ts'
import { startThreadQueue } from '../../src/input-schema/threads/thread-queue.ts'

test.each([
  { atOnce: 1, started: 1 },
  { atOnce: 2, started: 2 },
  { atOnce: 20, started: 3 },
])('with $atOnce jobs at once, $started of three threads start', async ({ atOnce, started }) => {
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
  const queue = startThreadQueue({ threads: 3, maxWaiting: 100, maxWaitMs: 5000, idleMs: 5000, start })
  const work = {
    tenant: 'ws_1',
    hash: '',
    slow: false,
    perform: (thread: Thread) => thread.call({ kind: 'warm up' }, 1),
  }
  await Promise.all(Array.from({ length: atOnce }, () => queue.run(work)))
  // Jobs that come one after the other start no more threads.
  for (let i = 0; i < 5; i++) await queue.run(work)
  expect(threads).toHaveLength(started)
  await queue.close()
})

/** A queue whose work ends when the test says so, in the order in which it began. */
function startHeldQueue({ threads = 1, maxWaiting = 100 } = {}) {
  const start = (): Thread => ({
    compiled: new Set(),
    call: async () => ({ kind: 'checked', problems: [], tooExpensive: false }),
    close: async () => {},
  })
  const queue = startThreadQueue({ threads, maxWaiting, maxWaitMs: 60_000, idleMs: 5000, start })
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
  const runMany = (count: number, tenant: string) => {
    for (let i = 0; i < count; i++) run(tenant)
  }
  const end = async (count = 1) => {
    for (let i = 0; i < count; i++) {
      const before = begun.length
      ends.shift()?.()
      await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(before)
    }
  }
  return { run, runMany, begun, ends, end, refused }
}

test('a workspace with one job waits for at most one job of every other, however many they have', async () => {
  const { runMany, begun, end } = startHeldQueue()
  runMany(50, 'ws_a')
  runMany(50, 'ws_b')
  runMany(1, 'ws_c')
  await expect.poll(() => begun.length).toBe(1)
  await end(3)
  expect(begun).toEqual(['ws_a', 'ws_b', 'ws_c', 'ws_a'])
})

test('at the bound the workspace with the most waiting jobs makes room', async () => {
  const { runMany, begun, refused } = startHeldQueue({ maxWaiting: 10 })
  runMany(10, 'ws_a')
  await expect.poll(() => begun.length).toBe(1)
  runMany(2, 'ws_a')
  await expect.poll(() => refused).toEqual(['ws_a'])
  runMany(3, 'ws_b')
  await expect.poll(() => refused).toEqual(['ws_a', 'ws_a', 'ws_a', 'ws_a'])
})

test('a workspace whose work took long leaves one thread to the others', async () => {
  const { run, runMany, begun, ends } = startHeldQueue({ threads: 2 })
  run('ws_long')
  await expect.poll(() => begun.length).toBe(1)
  await delay(60)
  ends.shift()?.()
  runMany(5, 'ws_long')
  await expect.poll(() => begun.length).toBe(2)
  run('ws_other')
  await expect.poll(() => begun).toEqual(['ws_long', 'ws_long', 'ws_other'])
  // Its check of a schema, which only one thread takes, runs when its other work has ended.
  run('ws_long', true)
  for (let expected = 3; expected < 8; expected++) {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    for (const end of ends.splice(0)) end()
    await expect.poll(() => begun.length, { interval: 1 }).toBeGreaterThan(expected)
  }
})
