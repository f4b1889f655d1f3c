/**
 * Every service of the product. Supervisor, roles, secrets, permissions on the bus, compose and Kubernetes derive
 * from it: docs/development/add-a-service.md.
 */
import { activity } from './activity/activity.ts'
import { authTokens } from './auth-tokens/auth-tokens.ts'
import { recallSubject } from './auth-tokens/leases.ts'
import { compute } from './compute/compute.ts'
import { eventStream } from './events.ts'
import { eventsKept, eventsWritten, settingsNotice } from './notices.ts'
import { offers } from './offers/offers.ts'
import type { Service } from './core/operation.ts'

export interface ServiceEntry {
  /** Serves its operations as `rpc.<name>.*`; those with `http` have a route of the gateway. */
  readonly service: Service
  readonly schema: string
  readonly calls: readonly string[]
  /** First parts of the types of its events. No other service has them, except for `commandKinds`. */
  readonly emits: readonly string[]
  readonly hears?: readonly string[]
  readonly notifies?: readonly string[]
  readonly operator?: readonly string[]
  readonly admitsAgents?: true
  readonly secrets: readonly Secret[]
  readonly givenSecrets?: readonly string[]
  /** Variables that the operator may set in compose, with their defaults. */
  readonly settings?: Readonly<Record<string, string>>
  readonly resources: { readonly cpu: string; readonly memory: string }
}

/** `SEALING_KEYS`: for secrets at rest. `AGENT_ISSUER_SEED`: the nkey whose public half NATS has. */
export type Secret = 'SEALING_KEYS' | 'AGENT_ISSUER_SEED'

/**
 * The memory limit of each pod and container, on which `deploy/node-flags` and the alert SvcMemoryHigh are based.
 */
export const memoryLimit = '384Mi'

const quotas = ['set_quota', 'list_quotas'] as const
export const commandKinds = ['quotas', 'secrets'] as const
const publicUrl = { PUBLIC_URL: 'http://localhost:8080' }

export const manifest = {
  offers: {
    service: offers,
    schema: 'offers',
    // To check the customer's cluster; to finish its deletion; for the seller's name and for set_quota.
    calls: ['compute.get_compute_settings', 'compute.remove_closed_cluster', 'auth-tokens.find_workspace'],
    emits: [
      'products',
      'packages',
      'package_versions',
      'offer_channels',
      'offers',
      'orders',
      'installs',
      'licence_keys',
      'subscriptions',
      ...commandKinds,
    ],
    operator: [
      // For catalogues that are imported.
      'create_package',
      'create_package_version',
      'create_product',
      'update_product',
      'create_offer_channel',
      'update_offer_channel',
      'create_channel_policy',
      'reseal',
      ...quotas,
    ],
    secrets: ['SEALING_KEYS'],
    givenSecrets: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    settings: { ...publicUrl, CHECKOUT: 'manual' },
    resources: { cpu: '200m', memory: '192Mi' },
  },
  'auth-tokens': {
    service: authTokens,
    schema: 'auth_tokens',
    calls: [
      // For GET /limits.
      'offers.list_quotas',
      'compute.list_quotas',
      'activity.list_quotas',
      // To delete a workspace, and afterwards what still works.
      'offers.close_workspace',
      'compute.list_clusters',
      'compute.remove_closed_cluster',
      'activity.list_webhook_endpoints',
      'activity.delete_webhook_endpoint',
      // For GET /search.
      'offers.list_matches',
      'compute.list_matches',
      'activity.list_matches',
    ],
    emits: [
      'api_tokens',
      'ci_trusts',
      'workspaces',
      'members',
      'invitations',
      'sign_ins',
      'sessions',
      'passwords',
      'factors',
      'device_grants',
      'users',
      'oauth_clients',
      'signing_keys',
      'mail_preferences',
      ...commandKinds,
    ],
    notifies: [recallSubject('*')],
    operator: [
      'put_user',
      'create_session',
      'create_api_token',
      'verify_user',
      'create_owner',
      'reset_factors',
      'put_oauth_client',
      'list_signing_keys',
      'rotate_signing_keys',
      'remove_signing_key',
      'reseal',
      ...quotas,
    ],
    secrets: ['SEALING_KEYS'],
    // Without it mail waits: its links must not appear in a log that others read.
    givenSecrets: ['MAIL_URL'],
    settings: { ...publicUrl, MAIL_FROM: '', TRUSTED_WORKLOADS: '' },
    resources: { cpu: '200m', memory: '176Mi' },
  },
  compute: {
    service: compute,
    schema: 'compute',
    // Before a cluster is deleted, and for set_quota.
    calls: ['offers.close_cluster', 'auth-tokens.find_workspace'],
    emits: ['clusters', 'compute_settings', 'quotas'],
    operator: ['create_cluster', 'create_agent_secret', 'revoke_agent_secret', ...quotas],
    notifies: [settingsNotice('*')],
    admitsAgents: true,
    secrets: ['AGENT_ISSUER_SEED'],
    resources: { cpu: '100m', memory: '128Mi' },
  },
  activity: {
    service: activity,
    schema: 'activity',
    calls: [
      // To read their outboxes.
      'offers.read_events',
      'auth-tokens.read_events',
      'compute.read_events',
      'auth-tokens.request_webhook_mail',
      // For notices by mail.
      'offers.read_order_facts',
      'auth-tokens.request_mail',
      // For set_quota.
      'auth-tokens.find_workspace',
    ],
    emits: ['webhook_endpoints', ...commandKinds],
    hears: [eventsWritten('*'), eventsKept],
    // Only this service creates the stream and writes to it.
    notifies: [`$JS.API.STREAM.CREATE.${eventStream}`, 'events.*.*', eventsKept],
    operator: ['reseal', ...quotas],
    secrets: ['SEALING_KEYS'],
    givenSecrets: ['WEBHOOKS_PROXY'],
    settings: {
      ACTIVITY_RETENTION_DAYS: '400',
      EVENTS_MAX_AGE_DAYS: '7',
      EVENTS_MAX_BYTES: '1073741824',
      WEBHOOKS_PORTS: '',
    },
    resources: { cpu: '100m', memory: '160Mi' },
  },
} as const satisfies Record<string, ServiceEntry>

type Manifest = typeof manifest
export type ServiceName = keyof Manifest
export type DatabaseRole = Manifest[ServiceName]['schema']
export type ServiceWith<S extends Secret> = {
  [N in ServiceName]: S extends Manifest[N]['secrets'][number] ? N : never
}[ServiceName]

export const entries = Object.entries(manifest) as readonly (readonly [ServiceName, ServiceEntry])[]
/**
 * The first parts of event types by publishing service; every service with operator commands publishes those of
 * commands.
 */
export const eventKinds = Object.fromEntries(entries.map(([name, { emits }]) => [name, emits])) as Record<
  ServiceName,
  readonly string[]
>
export const serviceNames = Object.keys(manifest) as ServiceName[]
export const schemaOf = (service: ServiceName): DatabaseRole => manifest[service].schema
export const databaseRoles: readonly DatabaseRole[] = serviceNames.map(schemaOf)

export const servicesWith = <S extends Secret>(secret: S) =>
  entries.filter(([, { secrets }]) => secrets.includes(secret)).map(([name]) => name) as ServiceWith<S>[]

/**
 * The users of the bus: the gateway, each service, the operator's programs and monitoring. Agents are not among
 * them.
 */
export type BusUser = ServiceName | 'gateway' | 'backoffice' | 'monitor'
export const busUsers: readonly BusUser[] = ['gateway', ...serviceNames, 'backoffice', 'monitor']

export const environmentName = (name: string): string => name.toUpperCase().replaceAll('-', '_')
export const natsPasswordVariable = (user: BusUser): string => `NATS_${environmentName(user)}_PASSWORD`
export const databasePasswordVariable = (service: ServiceName): string =>
  `${environmentName(service)}_DATABASE_PASSWORD`
