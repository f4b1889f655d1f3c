/** The permission matrix of deploy/nats/nats.conf: user × subject × publish, subscribe, queue-subscribe. */
import { operations, services } from '@svc/contract/services'
import { subjectOf } from '@svc/contract/operation'
import { type NatsUser, natsUsers } from '@svc/local/secrets'
import { type TestNats, startTestNats } from '@svc/testing/nats'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type RawClient, rawClient } from './raw-client.ts'

const serviceNames = Object.keys(services)

/** Which internal program may call which operations, beside the gateway, which may call all. */
const mayCall: Partial<Record<NatsUser, Record<string, string[]>>> = {
  backoffice: {
    'auth-tokens': [
      'put_user',
      'put_workspace',
      'put_member',
      'remove_member',
      'create_session',
      'revoke_session',
      'create_api_token',
      'verify_user',
      'create_owner',
      'put_oauth_client',
      'list_signing_keys',
      'rotate_signing_keys',
      'remove_signing_key',
    ],
    offers: [
      'put_product',
      'put_package',
      'publish_package_version',
      'set_current_version',
      'put_offer_channel',
      'publish_channel_policy',
    ],
    compute: ['put_cluster'],
  },
  'compute-agent': { compute: ['report_machines'] },
}
/** What only the gateway asks for. */
const gatewayAlone = [
  'resolve_credentials',
  'sign_in',
  'read_user',
  'revoke_token',
  'request_verification',
  'read_verification',
  'complete_verification',
  'start_device_grant',
  'poll_device_grant',
  'enter_user_code',
  'decide_device_grant',
  'exchange_session',
].map(operation => `rpc.auth-tokens.${operation}`)

const verbs = ['PING', 'INFO', 'STATS']
const control = verbs.flatMap(verb => [
  `$SRV.${verb}`,
  ...serviceNames.flatMap(name => [`$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.ID1`]),
])
const rpc = operations.map(({ service, name }) => subjectOf(service, name))
const inboxes = natsUsers.map(user => `_INBOX.${user}.a.1`)
const foreign = [
  'rpc.billing.charge',
  'rpc.offers',
  'rpc.offers.create.deep',
  'rpcx.offers.create',
  '$SRV.DRAIN',
  '$SRV.PING.offers.ID1.deep',
  '$SYS.REQ.SERVER.PING',
  '$SYS.ACCOUNT.$G.CONNS',
  '$JS.API.INFO',
  '$JS.API.STREAM.CREATE.X',
  '$KV.bucket.key',
  '_R_.a',
  '_INBOX.a',
  '_INBOX.nobody.a',
  '_INBOX.gatewayx.a',
  'anything',
]
const wildcards = [
  '>',
  '*',
  '*.>',
  '*.*.*',
  'rpc.>',
  'rpc.*.*',
  'rpc.*.create',
  '_INBOX.>',
  '_INBOX.*.*.*',
  '$SRV.>',
  '$SRV.*',
  '$SRV.PING.>',
  '$SRV.PING.*',
  '$SRV.PING.offers.>',
  '$SRV.PING.offers.*',
  '$SYS.>',
  '$JS.>',
  '$JS.API.>',
  ...serviceNames.flatMap(name => [`rpc.${name}.>`, `rpc.${name}.*`]),
  ...natsUsers.map(user => `_INBOX.${user}.>`),
]
const subjects = [...rpc, ...control, ...inboxes, ...foreign, ...wildcards]
const queues = [...natsUsers, 'other', '>', '*']

const isService = (user: NatsUser) => serviceNames.includes(user)
const isControl = (subject: string) => verbs.some(verb => `${subject}.`.startsWith(`$SRV.${verb}.`))

function mayPublish(user: NatsUser, subject: string): boolean {
  if (user === 'gateway') return subject.startsWith('rpc.')
  if (user === 'monitor') return isControl(subject)
  const [, service = '', operation = ''] = subject.split('.')
  return subject.startsWith('rpc.') && (mayCall[user]?.[service]?.includes(operation) ?? false)
}

/** A wildcard within what is one's own reaches nothing more. */
function maySubscribe(user: NatsUser, subject: string, queue: string | undefined): boolean {
  if (!isService(user)) return subject.startsWith(`_INBOX.${user}.`)
  const parts = subject.split('.')
  if (parts[0] === 'rpc') return parts.length === 3 && parts[1] === user && queue === user
  return isControl(subject) && (parts.length === 2 || (parts.length <= 4 && parts[2] === user))
}

let nats: TestNats
beforeAll(async () => {
  nats = await startTestNats()
})
afterAll(() => nats.stop())

async function connectRaw(user: NatsUser): Promise<RawClient> {
  const client = await rawClient(nats.user(user))
  onTestFinished(() => client.close())
  expect(await client.said()).toEqual([expect.stringMatching(/^INFO /)])
  return client
}

/** Whether the server lets each pass: it answers in order, so a violation is told before the answer to the PING. */
async function pass(client: RawClient, commands: string[][]): Promise<boolean[]> {
  return (await client.saidToEach(commands)).map(said => {
    const errors = said.filter(line => line.startsWith('-ERR'))
    for (const line of errors) expect(line).toMatch(/Permissions Violation/)
    return errors.length === 0
  })
}

const passes = async (client: RawClient, ...lines: string[]) => (await pass(client, [lines]))[0]

test('every operation that exists on the bus only has its intended caller', () => {
  const internal = operations.filter(({ operation }) => !operation.http)
  const served = internal.map(({ service, name }) => subjectOf(service, name))
  const intended = (['backoffice', 'compute-agent'] as const).flatMap(user =>
    served.filter(subject => mayPublish(user, subject)),
  )
  expect([...intended, ...gatewayAlone].sort()).toEqual(served.sort())
  expect(rpc.filter(subject => !mayPublish('gateway', subject))).toEqual([])
})

describe.each(natsUsers)('%s', user => {
  test('publishes what it is meant to, and nothing else', async () => {
    const client = await connectRaw(user)
    const allowed = await pass(
      client,
      subjects.map(subject => [`PUB ${subject} 0`, '']),
    )
    const wrong = subjects.filter((subject, at) => allowed[at] !== mayPublish(user, subject))
    expect(wrong).toEqual([])
  })

  test('subscribes to what it is meant to, in the queue groups that it is meant to, and to nothing else', async () => {
    const client = await connectRaw(user)
    const cells = subjects.flatMap(subject => [undefined, ...queues].map(queue => ({ subject, queue })))
    const allowed = await pass(
      client,
      cells.map(({ subject, queue }) => [`SUB ${subject} ${queue ? `${queue} ` : ''}1`, 'UNSUB 1']),
    )
    const wrong = cells.filter(({ subject, queue }, at) => allowed[at] !== maySubscribe(user, subject, queue))
    expect(wrong).toEqual([])
  })
})

describe.each(serviceNames as NatsUser[])('the service %s', user => {
  const subject = `rpc.${user}.anything`

  test('serves only in its own queue group', async () => {
    const client = await connectRaw(user)
    expect(await passes(client, `SUB ${subject} 1`)).toBe(false)
    expect(await passes(client, `SUB ${subject} another 2`)).toBe(false)
    expect(await passes(client, `SUB ${subject} ${user} 3`)).toBe(true)
  })

  test('answers a request that it received, once, and nothing else', async () => {
    const service = await connectRaw(user)
    const gateway = await connectRaw('gateway')
    expect(await passes(service, `SUB ${subject} ${user} 1`)).toBe(true)
    const inbox = '_INBOX.gateway.x.1'
    expect(await passes(service, `PUB ${inbox} 2`, 'no')).toBe(false)
    expect(await passes(gateway, `SUB ${inbox} 1`, `PUB ${subject} ${inbox} 2`, 'hi')).toBe(true)
    // The server delivers before it answers the PING that follows the request.
    expect(await service.said()).toContain(`MSG ${subject} 1 ${inbox} 2`)
    expect(await passes(service, 'PUB _INBOX.gateway.x.2 2', 'no')).toBe(false)
    expect(await passes(service, `PUB ${inbox} 2`, 'ok')).toBe(true)
    expect(await passes(service, `PUB ${inbox} 2`, 'no')).toBe(false)
    expect((await gateway.said()).filter(line => line.startsWith('MSG'))).toEqual([`MSG ${inbox} 1 2`])
  })
})

describe('who is nobody gets no connection', () => {
  test.each([
    ['without a user', {}],
    ['with an unknown user', { NATS_USER: 'root', NATS_PASSWORD: 'x' }],
    ['with an empty password', { NATS_USER: 'gateway', NATS_PASSWORD: '' }],
    ['with a wrong password', { NATS_USER: 'gateway', NATS_PASSWORD: 'pw0' }],
    ['as the system account', { NATS_USER: 'sys', NATS_PASSWORD: 'sys' }],
  ])('%s', async (_name, access) => {
    const client = await rawClient({ NATS_URL: nats.url, ...access })
    onTestFinished(() => client.close())
    const said = await client.said()
    expect(said).toContain("-ERR 'Authorization Violation'")
    expect(said).not.toContain('PONG')
  })

  test.each(natsUsers)("the password of another does not open %s's connection", async user => {
    const other = natsUsers.find(name => name !== user) ?? user
    const client = await rawClient({ ...nats.user(user), NATS_PASSWORD: nats.user(other).NATS_PASSWORD })
    onTestFinished(() => client.close())
    expect(await client.said()).toContain("-ERR 'Authorization Violation'")
  })
})
