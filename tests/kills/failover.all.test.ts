// Another server takes over under load: of PostgreSQL, the standby, for which commits wait (`synchronous_commit = remote_apply`);
// of NATS, who leads the stream EVENTS.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Bus, connectBus } from '@svc/bus/connection'
import { natsEnv, newSecrets } from '@svc/local/secrets'
import { waitUntil } from '@svc/local/wait-until'
import { expect, onTestFinished, test } from 'vitest'
import { deaths, settleAccounts, settled } from '@svc/testing/ledger'
import { type Load, startLoad } from '@svc/testing/load'
import { patient } from '@svc/testing/read-events'
import { requester, sender } from '@svc/testing/stack/driven-stack'
import { startNatsCluster } from '@svc/testing/stack/nats-cluster'
import { testConfig } from '@svc/testing/stack/nats-config'
import { startPostgresPair } from '@svc/testing/stack/postgres-pair'
import { type TestStackOptions, startTestStack, type TestStack } from '@svc/testing/stack/stack'
import {
  addPeople,
  changeRoles,
  everyEventIsThere,
  everyProcessIsReady,
  everyReplicaReachesTheDatabase,
  killServer,
  noneFails,
  pidsOf,
  someOffers,
  someRefusals,
} from './kill-scene.ts'

const silent = { info() {}, warn() {}, error() {} }

test('after a failover of PostgreSQL nothing acknowledged is lost, revoked tokens are dead, and no process ends', async () => {
  const pair = await startPostgresPair()
  onTestFinished(() => pair.stop())
  await losesNothing({ ownPostgres: pair.url }, async ({ running, load }) => {
    const { sql } = running
    const grants = () => sql<{ grant_id: string; timeline: string }[]>`
      select grant_id, timeline from auth_tokens.lease_holders where until > now()`
    const before = (await grants()).map(({ grant_id }) => grant_id)
    await pair.failOver(() => someRefusals(load, 20))
    await everyReplicaReachesTheDatabase(running)
    await waitUntil('leases of both gateways on the new timeline', async () => {
      const now = await grants()
      return now.length === 2 && now.every(({ timeline }) => timeline === '00000002')
    })
    expect((await grants()).filter(({ grant_id }) => before.includes(grant_id))).toEqual([])
    await waitUntil('numbers of events that jump', async () => {
      const [last] = await sql`select from activity.last_position where position > 1000000`
      return last !== undefined
    })
  })
})

test('after the death of the leader of EVENTS nothing acknowledged is lost, revoked tokens are dead, and no process ends', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-nats-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const secrets = newSecrets()
  const env = natsEnv(secrets)
  const cluster = await startNatsCluster(folder, { env, configuration: testConfig })
  onTestFinished(() => cluster.stop())
  for (const server of cluster.servers) await server.healthy()
  const options = {
    natsUrl: cluster.url,
    env: { ...env, AGENT_ISSUER_SEED: secrets.agentIssuer, EVENTS_REPLICAS: '3' },
  }
  await losesNothing(options, async ({ running, load, bus }) => {
    const leader = await leaderOfEvents(bus, 2)
    const victim = cluster.servers.find(({ name }) => name === leader)
    await killServer(victim, async () => {
      await everyProcessIsReady(running)
      await someOffers(load, 50)
      await noneFails(load, 50)
      // As long as the victim is away: once it is back, it may be elected.
      expect(await leaderOfEvents(bus, 1)).not.toBe(leader)
    })
    await leaderOfEvents(bus, 2)
  })
})

interface Scene {
  readonly running: TestStack
  readonly load: Load
  readonly bus: Bus
}

async function losesNothing(options: TestStackOptions, failOver: (scene: Scene) => Promise<unknown>) {
  const running = await startTestStack({
    ...options,
    replicas: { gateway: 2, offers: 2, 'auth-tokens': 2, activity: 2 },
  })
  onTestFinished(() => running.stop())
  const bus = await connectBus(running.stack.bus('backoffice'), silent)
  onTestFinished(() => bus.close())
  const { dev, baseUrls } = running
  const body = { product_id: dev.product_id }
  const pids = pidsOf(running)
  const asOwner = { workspace: dev.workspace_id }
  const people = await addPeople(running, 3)
  const stopChanging = changeRoles(running, people, 50)
  const load = startLoad({ baseUrls, token: dev.api_token, body, connections: 30, pauseMs: 50 })
  const stopAll = () => Promise.all([load.stop(), stopChanging()])
  onTestFinished(async () => void (await stopAll()))
  const usedToken = async () => {
    const body = { name: 'ci' }
    const token = await sender(dev.base_url)('POST', '/api_tokens', dev.owner.session_token, {
      ...asOwner,
      body,
    })
    for (const base of baseUrls) await sender(base)('GET', '/installs', String(token.token))
    return token
  }
  /** From the answer on it is admitted nowhere: 404 says that an attempt without an answer has revoked it. */
  const revoke = async ({ id, token }: Record<string, unknown> = {}, turn = 0) => {
    const base = baseUrls[turn % baseUrls.length] ?? ''
    await waitUntil('the revocation', async () => {
      const { status } = await requester(base)(
        'DELETE',
        `/api_tokens/${id}`,
        dev.owner.session_token,
        asOwner,
      )
      return status === 204 || status === 404
    })
    for (const each of baseUrls) {
      const { status } = await requester(each)('GET', '/installs', String(token))
      // 5xx: the database that would say so is away.
      expect([401, 503, 504]).toContain(status)
    }
  }
  await someOffers(load, 50)
  const tokens: Record<string, unknown>[] = []
  for (let n = 0; n < 40; n++) tokens.push(await usedToken())
  const [before, after, ...meanwhile] = tokens
  const revokeMeanwhile = async () => {
    for (const [turn, token] of meanwhile.entries()) {
      await revoke(token, turn)
      await delay(50)
    }
  }

  await revoke(before)
  await Promise.all([failOver({ running, load, bus }), revokeMeanwhile()])
  await noneFails(load, 50)
  await revoke(after)
  for (const base of baseUrls)
    for (const { token } of tokens) await sender(base)('GET', '/installs', String(token), { status: 401 })

  await stopAll()
  expect(deaths(running.lines)).toEqual([])
  expect(pidsOf(running)).toEqual(pids)
  expect(await settleAccounts(running, load.attempts, body)).toMatchObject(settled)
  await everyEventIsThere(running, { bus, people, attempts: load.attempts })
}

/** Waits until so many others have all that the leader of the stream has. */
async function leaderOfEvents({ nc }: Bus, followers: number): Promise<string | undefined> {
  const manager = await nc.jetstreamManager(patient)
  let leader: string | undefined
  await waitUntil(`a leader of EVENTS and ${followers} others`, async () => {
    const { cluster } = await manager.streams.info('EVENTS')
    leader = cluster?.leader
    const upToDate = cluster?.replicas?.filter(({ current, offline }) => current && !offline)
    return leader !== undefined && upToDate?.length === followers
  })
  return leader
}
