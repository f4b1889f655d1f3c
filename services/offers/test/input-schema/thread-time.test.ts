import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { waitUntil } from '@svc/local/wait-until'
import { afterEach, expect, test } from 'vitest'
import { newThreadId, threadMs, writeThreadId } from '../../src/input-schema/threads/thread-time.ts'

const open: Worker[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(worker => worker.terminate()))
})

/** A thread that writes its id and then is busy, or waits. */
async function start(does: 'works' | 'waits') {
  const id = newThreadId()
  const source = new URL('../../dist/input-schema/threads/thread-time.js', import.meta.url)
  const text = `import { workerData } from 'node:worker_threads'
    import { writeThreadId } from '${source}'
    writeThreadId(workerData)
    ${does === 'works' ? 'for (;;);' : 'setInterval(() => {}, 1000)'}`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(text)}`), { workerData: id })
  open.push(worker)
  await once(worker, 'online')
  return id
}

test('a thread has no time before it has started', () => {
  expect(threadMs(newThreadId())).toBeUndefined()
})

test.runIf(process.platform === 'linux')(
  'a waiting thread is not charged for the time of a busy one',
  async () => {
    const [works, waits] = [await start('works'), await start('waits')]
    await waitUntil('both are up', () => threadMs(works) !== undefined && threadMs(waits) !== undefined)
    const before = threadMs(waits) ?? 0
    const began = threadMs(works) ?? 0
    await waitUntil('the busy one has worked', () => (threadMs(works) ?? 0) - began > 300)
    // With the process's time it would be at least as much.
    const worked = (threadMs(works) ?? 0) - began
    expect((threadMs(waits) ?? 0) - before).toBeLessThan(worked)
  },
)

test("a thread has the process's time if its own is unknown", () => {
  const id = newThreadId()
  Atomics.store(id, 0, -1)
  const { user, system } = process.cpuUsage()
  expect(threadMs(id)).toBeGreaterThanOrEqual((user + system) / 1000)
  writeThreadId(id)
  expect(threadMs(id)).toBeGreaterThan(0)
})
