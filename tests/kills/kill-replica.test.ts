// Row 1 of docs/reliability.md, whose rows these suites name by number. kills.test.ts kills each process once.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleAccounts, settled, successRate } from '@svc/testing/ledger'
import { type Attempt, createOffer, startLoad } from '@svc/testing/load'
import { everything, patience } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'

const connections = 50
/** Between two requests of a connection, so that the processor has time for processes that start. */
const thinkMs = 100
/** `npm run rehearsal` does ten. */
const rounds = 4
const recoverMs = patience(2000)
// Longer than the recovery by more than a request takes, so that the next kill does not affect it.
const pauseMs = recoverMs + 500
const probeMs = 500
let running: TestStack

beforeAll(async () => {
  running = await startTestStack({
    replicas: { gateway: 2, 'auth-tokens': 2, offers: 2, compute: 2, activity: 2 },
    restart: true,
  })
})
afterAll(() => running?.stop())

test.runIf(everything)(
  'kill -9 of each process in turn loses at most what it had in flight, and nothing acknowledged',
  async () => {
    const { stack, dev, baseUrls } = running
    const body = { product_id: dev.product_id }
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections, pauseMs: thinkMs })
    // Callers of the dead replica wait for an answer until the deadline. Whether new requests succeed is shown by
    // these, which do not wait for each other, and go to a running gateway, as through a load balancer.
    const startProbes = (round: number) =>
      Array.from({ length: 20 }, () =>
        createOffer({
          baseUrl: baseUrls[(round + 1) % 2] ?? '',
          token: dev.api_token,
          body,
          key: randomUUID(),
        }),
      )
    const probes: Promise<Attempt>[] = []
    const kills: { name: string; at: number }[] = []
    for (let round = 0; round < rounds; round++) {
      for (const name of ['offers', 'auth-tokens', 'compute', 'activity', 'gateway'] as const) {
        const victim = stack.processes[name][round % 2]
        await victim?.untilReady(patience(10_000))
        kills.push({ name, at: performance.now() })
        victim?.kill('SIGKILL')
        await delay(recoverMs - probeMs)
        probes.push(...startProbes(round))
        await delay(pauseMs - recoverMs + probeMs)
      }
    }
    await load.stop()
    load.attempts.push(...(await Promise.all(probes)))

    for (const { name, at } of kills) {
      const failures = load.attempts.filter(
        ({ status, startedAt, endedAt }) =>
          status !== 201 && startedAt > at - pauseMs && startedAt < at + recoverMs && endedAt > at,
      )
      expect.soft(failures.length, `failures around the kill of ${name}`).toBeLessThanOrEqual(connections)
      const rate = successRate(load.attempts, at + recoverMs - probeMs, at + recoverMs)
      expect.soft(rate, `success after the kill of ${name}`).toBeGreaterThanOrEqual(0.999)
    }
    expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
    expect(running.lines.filter(line => /uncaught|"level":60/.test(line))).toEqual([])
  },
  patience(240_000),
)
