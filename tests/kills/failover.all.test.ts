// The primary of two PostgreSQL servers dies under load, and its standby takes over. Commits wait until the standby has applied
// them (`synchronous_commit = remote_apply`), so that what was acknowledged is there, and what was revoked stays so.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { startLoad } from '@svc/testing/load'
import { type PostgresPair, startPostgresPair } from '@svc/testing/postgres-pair'
import { sender } from '@svc/testing/stack/driven-stack'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { connectBus } from '@svc/bus/connection'
import {
  addPeople,
  changeRoles,
  everyEventIsThere,
  everyReplicaReachesTheDatabase,
  noneFails,
  pidsOf,
  someOffers,
  someRefusals,
} from './kill-scene.ts'

const silent = { info() {}, warn() {}, error() {} }

let pair: PostgresPair
let running: TestStack

beforeAll(async () => {
  pair = await startPostgresPair()
  running = await startTestStack({
    ownPostgres: pair.url,
    replicas: { gateway: 2, offers: 2, 'auth-tokens': 2 },
  })
})
afterAll(async () => {
  await running?.stop()
  await pair?.stop()
})

test('after a failover nothing that was acknowledged is lost, a revoked token is dead, and no process ends', async () => {
  const { dev, baseUrls } = running
  const body = { product_id: dev.product_id }
  const before = pidsOf(running)
  const send = sender(baseUrls[0] ?? '')
  const asOwner = { workspace: dev.workspace_id }
  const people = await addPeople(running, 3)
  const stopChanging = changeRoles(running, people, 50)
  const usedToken = async () => {
    const token = await send('POST', '/api_tokens', dev.owner.session_token, {
      ...asOwner,
      body: { name: 'ci' },
    })
    for (const base of baseUrls) await sender(base)('GET', '/installs', String(token.token))
    return token
  }
  const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 30, pauseMs: 50 })
  await someOffers(load, 300)
  const revoked = await usedToken()
  await send('DELETE', `/api_tokens/${revoked.id}`, dev.owner.session_token, asOwner)
  const kept = await usedToken()

  await pair.failOver(() => someRefusals(load, 100))
  await everyReplicaReachesTheDatabase(running)
  await noneFails(load, 200)
  await send('DELETE', `/api_tokens/${kept.id}`, dev.owner.session_token, asOwner)
  for (const base of baseUrls)
    for (const { token } of [revoked, kept])
      await sender(base)('GET', '/installs', String(token), { status: 401 })

  await Promise.all([load.stop(), stopChanging()])
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(before)
  expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
  const bus = await connectBus(running.stack.bus('backoffice'), silent)
  try {
    await everyEventIsThere(running, { bus, people, attempts: load.attempts })
  } finally {
    await bus.close()
  }
})
