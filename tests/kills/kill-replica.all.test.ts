// Row 1 of docs/reliability.md, whose rows these suites name by number. kills.test.ts kills each process once.
// In `npm test`: kills.test.ts.
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleAccounts, settled } from '@svc/testing/ledger'
import { type Attempt, startLoad } from '@svc/testing/load'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { noneFails, someOffers } from './kill-scene.ts'

const connections = 50
/** Between two requests of a connection, so that the processor has time for processes that start. */
const thinkMs = 100
/** One for each replica. `npm run rehearsal` does ten. */
const rounds = 2
let running: TestStack

beforeAll(async () => {
  running = await startTestStack({
    replicas: { gateway: 2, 'auth-tokens': 2, offers: 2, compute: 2, activity: 2 },
    restart: true,
  })
})
afterAll(() => running?.stop())

test('kill -9 of each process in turn loses at most what it had in flight, and nothing acknowledged; none fails once it is ready again', async () => {
  const { stack, dev, baseUrls } = running
  const body = { product_id: dev.product_id }
  const attempts: Attempt[] = []
  for (let round = 0; round < rounds; round++) {
    for (const name of ['offers', 'auth-tokens', 'compute', 'activity', 'gateway'] as const) {
      const load = startLoad({ baseUrls, token: dev.api_token, body, connections, pauseMs: thinkMs })
      await someOffers(load, 100)
      const victim = stack.processes[name][round % 2]
      const pid = victim?.pid
      victim?.kill('SIGKILL')
      await waitUntil('another process', () => victim?.pid !== undefined && victim.pid !== pid)
      await victim?.untilReady()
      await noneFails(load, 200)
      // Callers of the dead one wait for an answer until the deadline.
      await load.stop()
      const failures = load.attempts.filter(({ status }) => status !== 201)
      expect.soft(failures.length, `failures around the kill of ${name}`).toBeLessThanOrEqual(connections)
      attempts.push(...load.attempts)
    }
  }
  expect(await settleAccounts(running, attempts, body)).toMatchObject(settled)
  expect(running.lines.filter(line => /uncaught|"level":60/.test(line))).toEqual([])
})
