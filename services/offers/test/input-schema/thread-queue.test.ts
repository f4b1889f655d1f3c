// How many threads start; what they do is said by the tests beside this one.
import { expect, test } from 'vitest'
import type { Thread } from '../../src/input-schema/thread.ts'
import { startThreadQueue } from '../../src/input-schema/thread-queue.ts'

test.each([
  { atOnce: 1, started: 1 },
  { atOnce: 2, started: 2 },
  { atOnce: 20, started: 3 },
])('of three threads $started for $atOnce at once', async ({ atOnce, started }) => {
  const threads: Thread[] = []
  const start = (): Thread => {
    const thread: Thread = {
      known: new Set(),
      call: async () => ({ kind: 'checked', problems: [], tooExpensive: false }),
      close: async () => {},
    }
    threads.push(thread)
    return thread
  }
  const queue = startThreadQueue({ threads: 3, maxWaiting: 100, maxWaitMs: 5000, idleMs: 5000, start })
  const work = { hash: '', slow: false, perform: (thread: Thread) => thread.call({ kind: 'warm up' }, 1) }
  await Promise.all(Array.from({ length: atOnce }, () => queue.run(work)))
  // One after the other they need no more.
  for (let i = 0; i < 5; i++) await queue.run(work)
  expect(threads).toHaveLength(started)
  await queue.close()
})
