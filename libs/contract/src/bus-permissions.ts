/** The rights of each user of the bus, derived from the manifest. deploy/nats/nats.conf is generated from them. */
import { recallSubject } from './auth-tokens/leases.ts'
import { eventStream } from './events.ts'
import { type BusUser, busUsers, entries, manifest, type ServiceEntry } from './manifest.ts'
import { eventsWritten, rateLimitUse } from './notices.ts'
import { replicaSubject, subjectOf } from './core/operation.ts'
import { gatewaySubjects } from './services.ts'

export interface Permissions {
  readonly publish: readonly string[]
  /** A queue group follows after a space if it may subscribe only in that group. */
  readonly subscribe: readonly string[]
  /** May answer each request that it received, once. */
  readonly answers: boolean
}

export const busPermissions = (): Readonly<Record<BusUser, Permissions>> =>
  Object.fromEntries(busUsers.map(user => [user, permissionsOf(user)])) as Record<BusUser, Permissions>

const inboxOf = (user: string) => `_INBOX.${user}.>`
/** An operation at any replica, and at each. */
const callable = (subject: string) => [subject, replicaSubject(subject, '*')]
const verbs = ['PING', 'INFO', 'STATS'].map(verb => `$SRV.${verb}`)

function permissionsOf(user: BusUser): Permissions {
  if (user === 'gateway')
    return {
      publish: [rateLimitUse, ...gatewaySubjects.flatMap(callable)],
      subscribe: [inboxOf(user), rateLimitUse, recallSubject('*')],
      // For recalls.
      answers: true,
    }
  if (user === 'backoffice')
    return { publish: operatorSubjects(), subscribe: [inboxOf(user)], answers: false }
  if (user === 'monitor') {
    const asks = verbs.flatMap(verb => [verb, `${verb}.>`])
    return { publish: asks, subscribe: [inboxOf(user)], answers: false }
  }
  return servicePermissions(user, manifest[user])
}

function servicePermissions(name: string, entry: ServiceEntry): Permissions {
  const { calls, emits, hears = [], notifies = [], admitsAgents } = entry
  return {
    publish: [
      ...(emits.length > 0 ? [eventsWritten(name)] : []),
      ...notifies,
      ...calls.flatMap(operation => callable(`rpc.${operation}`)),
    ],
    subscribe: [
      inboxOf(name),
      ...hears,
      ...callable(subjectOf(name, '*')).map(subject => `${subject} ${name}`),
      // Requests from agents, whose cluster and secret are in the subject, and the server's requests to admit
      // agents.
      ...(admitsAgents ? [`${subjectOf(name, '*')}.*.* ${name}`, `$SYS.REQ.USER.AUTH ${name}`] : []),
      ...verbs.flatMap(verb => [verb, `${verb}.${name}`, `${verb}.${name}.*`]),
    ],
    answers: true,
  }
}

/** Operators use operations for people, workspaces, catalogue and clusters, and can only read events. */
function operatorSubjects(): string[] {
  const operations = entries.flatMap(([name, { operator = [] }]) =>
    operator.map(operation => subjectOf(name, operation)),
  )
  return [...operations.sort().flatMap(callable), '$JS.API.INFO', ...reading(eventStream)]
}

const reading = (stream: string) =>
  [
    `STREAM.INFO.${stream}`,
    `CONSUMER.NAMES.${stream}`,
    `CONSUMER.LIST.${stream}`,
    `CONSUMER.CREATE.${stream}.>`,
    `CONSUMER.DURABLE.CREATE.${stream}.*`,
    `CONSUMER.INFO.${stream}.*`,
    `CONSUMER.DELETE.${stream}.*`,
    `CONSUMER.MSG.NEXT.${stream}.*`,
  ]
    .map(request => `$JS.API.${request}`)
    .concat(`$JS.ACK.${stream}.>`)
