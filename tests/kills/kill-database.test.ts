// Row 4: PostgreSQL is killed, and its connections are. kills.test.ts does it once.
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deaths, settleAccounts, settled, successRate } from '@svc/testing/ledger'
import { startLoad } from '@svc/testing/load'
import { everything, patience } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { pidsOf } from './kill-scene.ts'

let running: TestStack

beforeAll(async () => {
  running = await startTestStack({
    replicas: { gateway: 2, offers: 2, 'auth-tokens': 2 },
    ownPostgres: true,
  })
})
afterAll(() => running?.stop())

test.runIf(everything)(
  'kill -9 of PostgreSQL under load loses nothing, and all is back to normal a second after it accepts connections again',
  async () => {
    const { stack, dev, baseUrls } = running
    const body = { product_id: dev.product_id }
    const before = pidsOf(running)
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 50 })
    const backAt: number[] = []
    for (let round = 0; round < 3; round++) {
      await delay(1000)
      await stack.postgres?.kill('SIGKILL')
      await delay(500)
      await stack.postgres?.restart()
      backAt.push(performance.now())
      await delay(patience(1000) + 1000)
    }
    await load.stop()
    for (const at of backAt)
      expect(successRate(load.attempts, at + patience(1000), at + patience(1000) + 1000)).toBe(1)
    expect(deaths(running.lines)).toEqual([])
    expect(pidsOf(running)).toEqual(before)
    expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
  },
  patience(60_000),
)

test.runIf(everything)(
  'connections terminated in a loop lose nothing, and no process exits',
  async () => {
    const { dev, baseUrls, sql } = running
    const body = { product_id: dev.product_id }
    const before = pidsOf(running)
    const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 50 })
    for (let round = 0; round < 20; round++) {
      await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name in ('offers', 'auth-tokens')`
      await delay(100)
    }
    const calmAt = performance.now()
    await delay(patience(1000) + 1000)
    await load.stop()
    expect(successRate(load.attempts, calmAt + patience(1000), calmAt + patience(1000) + 1000)).toBe(1)
    expect(deaths(running.lines)).toEqual([])
    expect(pidsOf(running)).toEqual(before)
    expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
  },
  patience(60_000),
)
