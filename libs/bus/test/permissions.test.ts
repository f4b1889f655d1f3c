/** The permission matrix of deploy/nats/nats.conf: user × subject × publish, subscribe, queue-subscribe. */
import { forFile } from '@svc/testing/for-file'
import { recallSubject } from '@svc/contract/auth-tokens/leases'
import { agentRights } from '@svc/contract/compute/agents'
import { events } from '@svc/contract/events'
import { eventsKept, eventsWritten, rateLimitUse, settingsNotice } from '@svc/contract/notices'
import { commandKinds, entries, eventKinds, type ServiceName, serviceNames } from '@svc/contract/manifest'
import { operations } from '@svc/contract/services'
import { agentSubject, replicaSubject, subjectOf } from '@svc/contract/core/operation'
import { type NatsUser, natsUsers } from '@svc/local/secrets'
import { startTestNats } from '@svc/testing/stack/nats'
import type { TestUser } from '@svc/testing/stack/nats-config'
import { describe, expect, onTestFinished, test } from 'vitest'
import { calloutSubject } from '../src/auth-callout.ts'
import { notAdmitted, type RawClient, rawClient } from './raw-client.ts'

/** Which internal programs other than the gateway may call which operations: `<service>.<operation>`. */
const mayCall: Partial<Record<NatsUser, readonly string[]>> = {
  backoffice: entries.flatMap(([name, { operator = [] }]) =>
    operator.map(operation => `${name}.${operation}`),
  ),
  ...Object.fromEntries(entries.map(([name, { calls }]) => [name, calls])),
}
/** What only the gateway calls. */
const gatewayAlone = [
  'resolve_credentials',
  'hold_leases',
  'sign_in',
  'read_user',
  'read_email',
  'revoke_token',
  'request_verification',
  'read_verification',
  'complete_verification',
  'read_unsubscription',
  'unsubscribe',
  'start_device_grant',
  'poll_device_grant',
  'enter_user_code',
  'decide_device_grant',
  'find_confirmation',
  'confirm_session',
  'exchange_session',
  'exchange_id_token',
  'set_password',
  'delete_user',
  'list_factors',
  'start_factor',
  'add_passkey',
  'add_totp',
  'remove_factor',
  'create_recovery_codes',
  'read_pending_sign_in',
  'complete_sign_in',
  'find_names',
]
  .map(operation => `rpc.auth-tokens.${operation}`)
  .concat(
    ['find_order_workspace', 'find_latest_order', 'read_checkout_provider', 'find_names'].map(
      operation => `rpc.offers.${operation}`,
    ),
    'rpc.compute.find_names',
  )

/** The operator may read them as well. */
const signingKeys = 'rpc.auth-tokens.list_signing_keys'
const forwarded = operations.flatMap(({ service, name, operation }) =>
  operation.http ? [subjectOf(service, name)] : [],
)

const verbs = ['PING', 'INFO', 'STATS']
const control = verbs.flatMap(verb => [
  `$SRV.${verb}`,
  ...serviceNames.flatMap(name => [`$SRV.${verb}.${name}`, `$SRV.${verb}.${name}.ID1`]),
])
const agent = { kind: 'agent', cluster: 'clus_1', id: 'key' } as const
const rpc = operations.map(({ service, name, operation }) =>
  operation.access.agent ? agentSubject(subjectOf(service, name), agent) : subjectOf(service, name),
)
const atReplica = operations.flatMap(({ service, name, operation }) =>
  operation.access.agent ? [] : replicaSubject(subjectOf(service, name), 'replica'),
)
const inboxes = natsUsers.map(user => `_INBOX.${user}.a.1`)
const published = [...Object.values(eventKinds), 'billing'].flat().map(kind => `events.${kind}.created`)
/** The JetStream API for reading the event stream. */
const reading = [
  'INFO',
  'STREAM.INFO.EVENTS',
  'CONSUMER.NAMES.EVENTS',
  'CONSUMER.LIST.EVENTS',
  'CONSUMER.CREATE.EVENTS.reader',
  'CONSUMER.CREATE.EVENTS.reader.events.offers.created',
  'CONSUMER.DURABLE.CREATE.EVENTS.reader',
  'CONSUMER.INFO.EVENTS.reader',
  'CONSUMER.DELETE.EVENTS.reader',
  'CONSUMER.MSG.NEXT.EVENTS.reader',
]
  .map(request => `$JS.API.${request}`)
  .concat('$JS.ACK.EVENTS.reader.1.2.3.4.5')
/** How consumers of an event receive and reject it: no service may. */
const consuming = (name: string, type: string) => [
  `$JS.API.CONSUMER.CREATE.EVENTS.${name}-${type.replace('.', '-')}.events.${type}`,
  `$JS.API.CONSUMER.MSG.NEXT.EVENTS.${name}-${type.replace('.', '-')}`,
  `$JS.ACK.EVENTS.${name}-${type.replace('.', '-')}.1.2.3.4.5`,
]
const consumers = [...serviceNames, 'billing'].flatMap(name => [
  ...Object.keys(events).flatMap(type => consuming(name, type)),
  `$JS.API.CONSUMER.CREATE.EVENTS.${name}-offers-created.events.>`,
  `$JS.API.CONSUMER.CREATE.EVENTS.${name}-offers-created`,
])
const notices = ['clus_1', '*', '>'].map(settingsNotice)
const written = [...serviceNames, '*', '>'].map(eventsWritten)
const recalls = ['holder', '*', '>'].map(recallSubject)
const jetStream = [
  '$JS.API.STREAM.CREATE.EVENTS',
  '$JS.API.STREAM.UPDATE.EVENTS',
  '$JS.API.STREAM.DELETE.EVENTS',
  '$JS.API.STREAM.PURGE.EVENTS',
  '$JS.API.STREAM.MSG.DELETE.EVENTS',
  '$JS.API.STREAM.MSG.GET.EVENTS',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.CREATE.OTHER',
  '$JS.API.STREAM.INFO.OTHER',
  '$JS.API.CONSUMER.CREATE.OTHER.reader',
  '$JS.API.CONSUMER.MSG.NEXT.OTHER.reader',
  '$JS.API.DIRECT.GET.EVENTS',
  '$JS.ACK.OTHER.reader.1.2.3.4.5',
]
const foreign = [
  'rpc.billing.charge',
  'rpc.offers',
  'rpc.offers.create_offer.replica.deep',
  'rpcx.offers.create_offer',
  '$SRV.DRAIN',
  '$SRV.PING.offers.ID1.deep',
  '$SYS.REQ.SERVER.PING',
  calloutSubject,
  '$SYS.ACCOUNT.$G.CONNS',
  'events.offers',
  'notices.compute_settings',
  'notices.compute_settings.clus_1.deep',
  'notices.other.clus_1',
  'leases.recall',
  'leases.recall.holder.deep',
  'events.offers.created.deep',
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
  'rpc.compute.*.*.*',
  'rpc.compute.*.clus_1.*',
  'rpc.compute.report_machines',
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
  '$JS.API.STREAM.*.EVENTS',
  'events.>',
  'notices.>',
  'leases.>',
  'leases.*.*',
  'notices.*.*',
  'events.*.*',
  ...Object.values(eventKinds)
    .flat()
    .map(kind => `events.${kind}.>`),
  ...serviceNames.flatMap(name => [`rpc.${name}.>`, `rpc.${name}.*`]),
  ...natsUsers.map(user => `_INBOX.${user}.>`),
]
const subjects = [
  ...rpc,
  ...atReplica,
  ...control,
  ...inboxes,
  ...published,
  ...notices,
  ...written,
  eventsKept,
  ...recalls,
  rateLimitUse,
  ...reading,
  ...consumers,
  ...jetStream,
  ...foreign,
  ...wildcards,
]
const queues = [...natsUsers, 'other', '>', '*']

const isService = (user: NatsUser): user is ServiceName => serviceNames.some(name => name === user)
const isControl = (subject: string) => verbs.some(verb => `${subject}.`.startsWith(`$SRV.${verb}.`))

function mayPublish(user: NatsUser, of: string): boolean {
  // The right to call an operation includes its subject at each replica.
  const subject = atReplica.includes(of) ? of.slice(0, of.lastIndexOf('.')) : of
  if (user === 'gateway')
    return (
      forwarded.includes(subject) ||
      subject === rateLimitUse ||
      gatewayAlone.includes(subject) ||
      subject === signingKeys
    )
  if (user === 'monitor') return isControl(subject)
  const parts = subject.split('.')
  if (notices.includes(subject)) return user === 'compute'
  if (recalls.includes(subject)) return user === 'auth-tokens'
  if (user === 'backoffice' && isReading(subject)) return true
  if (written.includes(subject)) return subject === eventsWritten(user)
  if (user === 'activity' && subject.startsWith('events.')) return parts.length === 3
  if (subject === '$JS.API.STREAM.CREATE.EVENTS' || subject === eventsKept) return user === 'activity'
  return subject.startsWith('rpc.') && (mayCall[user]?.includes(subject.slice(4)) ?? false)
}

/** Through the operator's own consumers, whatever their name. */
const isReading = (subject: string) =>
  reading.includes(subject) || /^\$JS\.(API\.CONSUMER\.(CREATE|MSG\.NEXT)|ACK)\.EVENTS\./.test(subject)

const hears = (user: NatsUser): readonly string[] => entries.find(([name]) => name === user)?.[1].hears ?? []
/** Whether the user may receive the subject, by the first part of its name. */
const isHeard = (user: NatsUser, subject: string) =>
  hears(user).some(pattern => subject.startsWith(pattern.slice(0, -1)))

/** A wildcard within one's own subjects reaches nothing else. */
function maySubscribe(user: NatsUser, subject: string, queue: string | undefined): boolean {
  if (subject.startsWith(`_INBOX.${user}.`)) return true
  if (user === 'gateway' && (subject === rateLimitUse || recalls.includes(subject))) return true
  if (!isService(user)) return false
  if (isHeard(user, subject)) return true
  const parts = subject.split('.')
  // Subjects of agents contain their cluster and secret.
  const lengths = user === 'compute' ? [3, 4, 5] : [3, 4]
  if (parts[0] === 'rpc') return lengths.includes(parts.length) && parts[1] === user && queue === user
  if (subject === calloutSubject) return user === 'compute' && queue === user
  return isControl(subject) && (parts.length === 2 || (parts.length <= 4 && parts[2] === user))
}

const nats = forFile(startTestNats)

async function connectRaw(user: TestUser): Promise<RawClient> {
  const client = await rawClient(nats.user(user))
  onTestFinished(() => client.close())
  expect(await client.said()).toEqual([expect.stringMatching(/^INFO /)])
  return client
}

/** Whether the server permits each. It answers in order, so a violation arrives before the answer to the PING. */
async function pass(client: RawClient, commands: string[][]): Promise<boolean[]> {
  return (await client.saidToEach(commands)).map(said => {
    const errors = said.filter(line => line.startsWith('-ERR'))
    for (const line of errors) expect(line).toMatch(/Permissions Violation/)
    return errors.length === 0
  })
}

const passes = async (client: RawClient, ...lines: string[]) => (await pass(client, [lines]))[0]

test('every event is of exactly one service, but for those of commands that several have', () => {
  const kinds: string[] = Object.values(eventKinds).flat()
  const shared: readonly string[] = commandKinds
  const own = kinds.filter(kind => !shared.includes(kind))
  expect(new Set(own).size).toBe(own.length)
  for (const type of Object.keys(events)) expect(kinds).toContain(type.split('.')[0])
})

test('every operation that exists only on the bus has its intended caller', () => {
  const internal = operations.filter(({ operation }) => !operation.http && !operation.access.agent)
  const served = internal.map(({ service, name }) => subjectOf(service, name))
  const callers: readonly NatsUser[] = ['backoffice', ...serviceNames]
  const intended = served.filter(subject => callers.some(user => mayPublish(user, subject)))
  expect([...intended, ...gatewayAlone].sort()).toEqual(served.sort())
  const ofAgents = rpc.filter(subject => subject.endsWith('.clus_1.key'))
  expect(ofAgents).toEqual(agentRights(agent).publish)
  const others = intended.filter(subject => subject !== signingKeys).concat(ofAgents)
  expect(rpc.filter(subject => !mayPublish('gateway', subject)).sort()).toEqual(others.sort())
})

test('what the manifest lets a program call exists, and belongs to another service', () => {
  for (const [name, { calls, operator = [] }] of entries) {
    for (const call of [...calls, ...operator.map(operation => `${name}.${operation}`)])
      expect(rpc).toContain(`rpc.${call}`)
    expect(calls.filter(call => call.startsWith(`${name}.`))).toEqual([])
  }
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
    // Without a group, in its own, and in one of the others in turn.
    const others = queues.filter(queue => queue !== user)
    const cells = subjects.flatMap((subject, at) =>
      [undefined, user, others[at % others.length]].map(queue => ({ subject, queue })),
    )
    const allowed = await pass(
      client,
      cells.map(({ subject, queue }) => [`SUB ${subject} ${queue ? `${queue} ` : ''}1`, 'UNSUB 1']),
    )
    const wrong = cells.filter(({ subject, queue }, at) => allowed[at] !== maySubscribe(user, subject, queue))
    expect(wrong).toEqual([])
  })
})

describe.each(serviceNames)('the service %s', user => {
  const subject = `rpc.${user}.anything`

  test('serves only in its own queue group', async () => {
    const client = await connectRaw(user)
    expect(await passes(client, `SUB ${subject} 1`)).toBe(false)
    expect(await passes(client, `SUB ${subject} another 2`)).toBe(false)
    expect(await passes(client, `SUB ${subject} ${user} 3`)).toBe(true)
  })

  test('answers a request that it received, once, and nothing else', async () => {
    const service = await connectRaw(user)
    const asking = await connectRaw('tests')
    expect(await passes(service, `SUB ${subject} ${user} 1`)).toBe(true)
    const inbox = '_INBOX.tests.x.1'
    expect(await passes(service, `PUB ${inbox} 2`, 'no')).toBe(false)
    expect(await passes(asking, `SUB ${inbox} 1`, `PUB ${subject} ${inbox} 2`, 'hi')).toBe(true)
    // The server delivers before it answers the PING that follows the request.
    expect(await service.said()).toContain(`MSG ${subject} 1 ${inbox} 2`)
    expect(await passes(service, 'PUB _INBOX.tests.x.2 2', 'no')).toBe(false)
    expect(await passes(service, `PUB ${inbox} 2`, 'ok')).toBe(true)
    expect(await passes(service, `PUB ${inbox} 2`, 'no')).toBe(false)
    expect((await asking.said()).filter(line => line.startsWith('MSG'))).toEqual([`MSG ${inbox} 1 2`])
  })
})

// Some wait until the server gives up asking who that is.
describe('an unknown user gets no connection', { concurrent: true }, () => {
  const impatient = forFile(() => startTestNats({ streams: false, admitSeconds: 1 }))
  test.for<[string, Partial<Record<'NATS_USER' | 'NATS_PASSWORD', string>>]>([
    ['without a user', {}],
    ['with an unknown user', { NATS_USER: 'root', NATS_PASSWORD: 'x' }],
    ['with an empty password', { NATS_USER: 'gateway', NATS_PASSWORD: '' }],
    ['with a wrong password', { NATS_USER: 'gateway', NATS_PASSWORD: 'pw0' }],
    ['as the system account', { NATS_USER: 'sys', NATS_PASSWORD: 'sys' }],
  ])('%s', async ([_name, access], { expect, onTestFinished }) => {
    const client = await rawClient({ NATS_URL: impatient.url, ...access })
    onTestFinished(() => client.close())
    const said = await client.said()
    expect(said.join()).toMatch(notAdmitted)
    expect(said).not.toContain('PONG')
  })

  test.for(natsUsers)(
    "another user's password does not open %s's connection",
    async (user, { expect, onTestFinished }) => {
      const other = natsUsers.find(name => name !== user) ?? user
      const { NATS_PASSWORD } = impatient.user(other)
      const client = await rawClient({ ...impatient.user(user), NATS_PASSWORD })
      onTestFinished(() => client.close())
      expect((await client.said()).join()).toMatch(notAdmitted)
    },
  )
})
