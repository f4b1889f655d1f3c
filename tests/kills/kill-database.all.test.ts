// Row 4: PostgreSQL is killed, and its connections are. kills.test.ts does it once.
// In `npm test`: kills.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { startLoad } from '@svc/testing/load'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import {
  everyReplicaReachesTheDatabase,
  killServer,
  noneFails,
  pidsOf,
  someOffers,
  someRefusals,
} from './kill-scene.ts'

let running: TestStack

beforeAll(async () => {
  running = await startTestStack({
    replicas: { gateway: 2, offers: 2, 'auth-tokens': 2 },
    ownPostgres: true,
  })
})
afterAll(() => running?.stop())

test('kill -9 of PostgreSQL under load loses nothing, and no request fails once it is reached again', async () => {
  const { stack, dev, baseUrls } = running
  const body = { product_id: dev.product_id }
  const before = pidsOf(running)
  const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 50, pauseMs: 50 })
  for (let round = 0; round < 3; round++) {
    await someOffers(load, 200)
    await killServer(stack.postgres, () => someRefusals(load, 200))
    await everyReplicaReachesTheDatabase(running)
    await noneFails(load, 200)
  }
  await load.stop()
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
})

test('connections terminated in a loop lose nothing, no process exits, and no request fails afterwards', async () => {
  const { dev, baseUrls, sql } = running
  const body = { product_id: dev.product_id }
  const before = pidsOf(running)
  const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 50, pauseMs: 50 })
  for (let round = 0; round < 20; round++) {
    await someOffers(load, 20)
    await sql`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and application_name in ('offers', 'auth-tokens')`
  }
  await everyReplicaReachesTheDatabase(running)
  await noneFails(load, 200)
  await load.stop()
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
})
