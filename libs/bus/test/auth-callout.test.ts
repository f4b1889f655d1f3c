// Users that are not in nats.conf are admitted by a service, or not at all.
import { forFile } from '@svc/testing/for-file'
import { agentSubject, subjectOf } from '@svc/contract/core/operation'
import { scaled } from '@svc/contract/core/deadline-scale'
import { waitUntil } from '@svc/local/wait-until'
import { agentAccess } from '@svc/testing/stack/agent'
import { startTestNats } from '@svc/testing/stack/nats'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Admission, answerCallouts, calloutSubject, type Question } from '../src/auth-callout.ts'
import { type Bus, connectBus } from '../src/connection.ts'
import { type Claims as JwtClaims, claimsOf, createSigner, issuerOf, newIssuer } from '../src/user-jwt.ts'
import { newNkey } from '../src/nkey.ts'
import { notAdmitted, rawClient } from './raw-client.ts'
import { keepingLog, silent } from './test-bus.ts'

const nats = forFile(() => startTestNats({ streams: false }))
const replicas: Bus[] = []
/** By user and password. */
const admitted = new Map<string, Admission>()
const asked: string[] = []

const own = (cluster: string) => agentSubject(subjectOf('compute', 'report_machines'), agent(cluster))
const agent = (cluster: string) => ({ kind: 'agent', cluster, id: 'key' }) as const
const admit = (cluster: string, seconds = 3600) =>
  void admitted.set(`${cluster} right`, {
    publish: [own(cluster)],
    subscribe: [],
    seconds,
  })

beforeAll(async () => {
  for (const replica of [1, 2]) {
    const bus = await connectBus(nats.user('compute'), silent)
    answerCallouts(bus, {
      seed: nats.agentIssuer,
      log: silent,
      async admit(user, password) {
        asked.push(`${replica} ${user}`)
        return admitted.get(`${user} ${password}`)
      },
    })
    await bus.nc.flush()
    replicas.push(bus)
  }
})
afterAll(async () => {
  await Promise.all(replicas.map(bus => bus.close()))
})

async function enter(cluster: string, password: string) {
  const client = await rawClient(agentAccess(nats.url, cluster, password))
  onTestFinished(() => client.close())
  return client
}

test('a client may do what it was admitted for, and no more', async () => {
  admit('clus_a')
  const client = await enter('clus_a', 'right')
  expect(await client.said()).toEqual([expect.stringMatching(/^INFO /)])
  const said = await client.saidToEach([
    [`PUB ${own('clus_a')} 0`, ''],
    ['SUB _INBOX.clus_a.x 1'],
    [`PUB ${own('clus_b')} 0`, ''],
    [`PUB ${subjectOf('compute', 'report_machines')} 0`, ''],
    ['PUB $SYS.REQ.USER.AUTH 0', ''],
    ['PUB $JS.API.INFO 0', ''],
    ['SUB _INBOX.clus_b.x 2'],
    ['SUB notices.> 3'],
    ['SUB > 4'],
  ])
  expect(said.map(lines => lines.length === 0)).toEqual([true, true, ...Array(7).fill(false)])
})

test.each([
  ['a wrong secret', 'clus_a', 'wrong'],
  ['the secret of another', 'clus_other', 'right'],
  ['none', 'clus_a', ''],
  ['nothing at all', '', ''],
])('%s is refused', async (_, user, password) => {
  admit('clus_a')
  expect((await (await enter(user, password)).said()).join()).toMatch(notAdmitted)
})

test('for a user of nats.conf no service is asked', async () => {
  const before = asked.length
  const client = await rawClient({ ...nats.user('gateway'), NATS_PASSWORD: 'wrong' })
  onTestFinished(() => client.close())
  expect((await client.said()).join()).toMatch(notAdmitted)
  expect(asked.length).toBe(before)
})

test('replicas share the requests', async () => {
  admit('clus_a')
  await Promise.all(Array.from({ length: 40 }, async () => (await enter('clus_a', 'right')).said()))
  expect(new Set(asked.map(one => one[0]))).toEqual(new Set(['1', '2']))
})

test('a connection ends when its admission does, and returns while it is admitted again', async () => {
  const { log, kept } = keepingLog()
  const enterFor = async (cluster: string) => {
    admit(cluster, Math.ceil(scaled(1)) + 1)
    const bus = await connectBus(agentAccess(nats.url, cluster, 'right'), log)
    onTestFinished(() => bus.close())
    return bus
  }
  const [renewed, refused] = [await enterFor('clus_renewed'), await enterFor('clus_refused')]
  admitted.delete('clus_refused right')
  await waitUntil('the end of one', () => refused.losses > 0 && !refused.connected)
  await waitUntil('the return of the other', () => renewed.losses > 0 && renewed.connected)
  await waitUntil('a refusal', () => kept.some(({ fields }) => /AUTHORIZATION/.test(JSON.stringify(fields))))
})

test('while no service is there no new client is admitted, and admitted ones stay', async () => {
  // After five seconds the client would be given up as silent instead.
  const alone = await startTestNats({ streams: false, admitSeconds: 3 })
  onTestFinished(() => alone.stop())
  const service = await connectBus(alone.user('compute'), silent)
  const rights = { publish: [own('clus_a')], subscribe: [], seconds: 3600 }
  answerCallouts(service, { seed: alone.agentIssuer, log: silent, admit: async () => rights })
  await service.nc.flush()
  const inside = await connectBus(agentAccess(alone.url, 'clus_a', 'any'), silent)
  onTestFinished(() => inside.close())
  await service.close()
  const waiting = await rawClient(agentAccess(alone.url, 'clus_a', 'any'))
  onTestFinished(() => waiting.close())
  // Other clients of the bus do not have to wait.
  const other = await connectBus(alone.user('offers'), silent)
  await other.nc.flush()
  await other.close()
  expect((await waiting.said()).join()).toMatch(notAdmitted)
  await inside.nc.flush()
  expect(inside.losses).toBe(0)
})

test('requests past the bound are dropped, and their clients are admitted when there is room', async () => {
  const alone = await startTestNats({ streams: false, admitSeconds: 1 })
  onTestFinished(() => alone.stop())
  const service = await connectBus(alone.user('compute'), silent)
  onTestFinished(() => service.close())
  let open = () => {}
  const opened = new Promise<void>(resolve => (open = resolve))
  const users: string[] = []
  const admit = async (user: string) => {
    users.push(user)
    await opened
    return { publish: [own(user)], subscribe: [], seconds: 3600 }
  }
  answerCallouts(service, { seed: alone.agentIssuer, log: silent, admit, maxInFlight: 1 })
  await service.nc.flush()
  // One that is not answered in time may be told that it is not authorized.
  const admission = (cluster: string) =>
    waitUntil(`the admission of ${cluster}`, async () => {
      await (await connectBus(agentAccess(alone.url, cluster, 'any'), silent)).close()
      return true
    })
  const first = admission('clus_a')
  await waitUntil('the first question', () => users.length === 1)
  const second = admission('clus_b')
  const other = await connectBus(alone.user('offers'), silent)
  await other.nc.flush()
  await other.close()
  expect(new Set(users)).toEqual(new Set(['clus_a']))
  open()
  await Promise.all([first, second])
  expect(users).toContain('clus_b')
})

test.each([
  ['of another connection', (jwt: JwtClaims) => ({ ...jwt, sub: newNkey().publicKey })],
  ['for another server', (jwt: JwtClaims) => ({ ...jwt, aud: newIssuer().publicKey })],
])('an answer %s admits nobody', async (_whose, change) => {
  const alone = await startTestNats({ streams: false })
  onTestFinished(() => alone.stop())
  const service = await connectBus(alone.user('compute'), silent)
  onTestFinished(() => service.close())
  const signed = createSigner(alone.agentIssuer)
  service.nc.subscribe(calloutSubject, {
    queue: 'compute',
    callback(_error, msg) {
      const { nats } = claimsOf(new TextDecoder().decode(msg.data)) as Question
      const sub = nats.user_nkey
      const rights = { type: 'user', version: 2, pub: { allow: ['>'] }, sub: { allow: ['>'] } }
      const user = signed({ sub, aud: '$G', nats: { ...rights, subs: -1, data: -1, payload: -1 } })
      const response = { type: 'authorization_response', version: 2, jwt: user }
      msg.respond(signed(change({ sub, aud: nats.server_id.id, nats: response })))
    },
  })
  await service.nc.flush()
  const client = await rawClient(agentAccess(alone.url, 'clus_a', 'any'))
  onTestFinished(() => client.close())
  expect((await client.said()).join()).toContain('-ERR')
})

test('an answer signed by another issuer admits nobody', async () => {
  const alone = await startTestNats({ streams: false })
  onTestFinished(() => alone.stop())
  const service = await connectBus(alone.user('compute'), silent)
  onTestFinished(() => service.close())
  const rights = { publish: ['>'], subscribe: ['>'], seconds: 3600 }
  answerCallouts(service, { seed: newIssuer().seed, log: silent, admit: async () => rights })
  await service.nc.flush()
  const client = await rawClient(agentAccess(alone.url, 'clus_a', 'any'))
  onTestFinished(() => client.close())
  expect((await client.said()).join()).toMatch(notAdmitted)
})

test('each server gets answers of the issuer that it names, while it is being changed', async () => {
  const servers = await Promise.all([startTestNats({ streams: false }), startTestNats({ streams: false })])
  onTestFinished(async () => void (await Promise.all(servers.map(server => server.stop()))))
  const [seed, secondSeed] = servers.map(({ agentIssuer }) => agentIssuer) as [string, string]
  for (const server of servers) {
    const service = await connectBus(server.user('compute'), silent)
    onTestFinished(() => service.close())
    const rights = { publish: [own('clus_a')], subscribe: [], seconds: 3600 }
    answerCallouts(service, { seed, secondSeed, log: silent, admit: async () => rights })
    await service.nc.flush()
    const agent = await connectBus(agentAccess(server.url, 'clus_a', 'any'), silent)
    onTestFinished(() => agent.close())
    await agent.nc.flush()
  }
})

test('an issuer is identified by its seed', () => {
  const { seed, publicKey } = newIssuer()
  expect([seed, publicKey]).toEqual([
    expect.stringMatching(/^SA[A-Z2-7]{56}$/),
    expect.stringMatching(/^A[A-Z2-7]{55}$/),
  ])
  expect(issuerOf(seed)).toBe(publicKey)
  expect(() => createSigner('nonsense')).toThrow()
})
