import * as z from 'zod'
import { type ActorKind, actor } from './core/actor.ts'
import { unixSeconds } from './core/text.ts'

export const eventStream = 'EVENTS'

const workspace_id = z.string()
const inWorkspace = z.strictObject({ workspace_id })
const product = z.strictObject({
  workspace_id,
  package_id: z.string(),
  current_package_version_id: z.string().nullable(),
})
const ofProduct = z.strictObject({ workspace_id, product_id: z.string() })
const offerChannel = ofProduct.extend({ status: z.enum(['active', 'inactive']) })
const channelPolicy = z.strictObject({ workspace_id, policy_number: z.int() })
const role = z.enum(['owner', 'admin', 'member'])
const member = z.strictObject({ workspace_id, user_id: z.string(), role })
const invitation = z.strictObject({ workspace_id, role })

const user_id = z.string()
const ofPerson = z.strictObject({ user_id })
const counted = z.strictObject({ user_id, count: z.int() })
const ofFactor = ofPerson.extend({ kind: z.enum(['passkey', 'totp']) })
const ofGrant = z.strictObject({ user_id, client_id: z.string() })

/** Visible to both sides of the order. */
const order = z.strictObject({ workspace_id, customer_workspace_id: z.string(), offer_id: z.string() })

/** Visible to both sides of the install, to which it belongs. */
const subscription = order.extend({
  order_id: z.string(),
  provider: z.enum(['manual', 'stripe']),
  paid_through: unixSeconds.nullable(),
  grace_until: unixSeconds.nullable(),
  cancel_at: unixSeconds.nullable(),
  end_reason: z.string().nullable(),
})

const members: readonly ActorKind[] = ['user', 'api_token']
const membersOrPrograms: readonly ActorKind[] = [...members, 'internal']
const person: readonly ActorKind[] = ['user']
const personOrProgram: readonly ActorKind[] = ['user', 'internal']
const program: readonly ActorKind[] = ['internal']
const system: readonly ActorKind[] = ['system']

interface EventDefinition {
  readonly by: readonly ActorKind[]
  /** Ids and states, but no text written by people and no secrets. */
  readonly data: z.ZodObject
}

const definitions = {
  'packages.created': { by: membersOrPrograms, data: inWorkspace },
  'packages.updated': { by: membersOrPrograms, data: inWorkspace },
  'packages.deleted': { by: person, data: inWorkspace },
  'package_versions.created': {
    by: membersOrPrograms,
    data: z.strictObject({ workspace_id, package_id: z.string() }),
  },
  'products.created': { by: membersOrPrograms, data: product },
  'products.updated': { by: membersOrPrograms, data: product },
  'products.deleted': { by: person, data: inWorkspace },
  'offer_channels.created': { by: membersOrPrograms, data: offerChannel },
  'offer_channels.updated': { by: membersOrPrograms, data: offerChannel },
  'offer_channels.deleted': { by: person, data: ofProduct },
  'offer_channels.policy_published': { by: membersOrPrograms, data: channelPolicy },
  'offer_channels.policy_activated': { by: membersOrPrograms, data: channelPolicy },
  'offers.created': {
    by: members,
    data: z.strictObject({
      workspace_id,
      product_id: z.string().nullable(),
      package_version_id: z.string(),
      offer_channel_id: z.string().nullable(),
      policy_number: z.int().nullable(),
    }),
  },
  'offers.updated': {
    by: members,
    data: z.strictObject({ workspace_id, changed: z.array(z.string()) }),
  },
  'offers.revoked': { by: members, data: inWorkspace },
  'orders.created': { by: members, data: order },
  'orders.awaiting_approval': { by: members, data: order },
  'orders.awaiting_checkout': { by: members, data: order },
  'orders.ends_soon': { by: system, data: order },
  'orders.completed': { by: [...members, 'system'], data: order },
  'orders.expired': { by: system, data: order },
  'orders.rejected': { by: members, data: order },
  'orders.cancelled': { by: [...members, 'system'], data: order },
  'orders.refund_due': { by: system, data: order },
  'orders.refunded': { by: system, data: order },
  'installs.created': {
    by: [...members, 'system'],
    data: order.extend({
      order_id: z.string(),
      product_id: z.string().nullable(),
      package_version_id: z.string(),
      cluster_id: z.string().nullable(),
    }),
  },
  'installs.removed': {
    by: members,
    data: order.extend({ order_id: z.string(), cluster_id: z.string().nullable() }),
  },
  'subscriptions.started': { by: [...members, 'system'], data: subscription },
  'subscriptions.renewed': { by: [...members, 'system'], data: subscription },
  'subscriptions.past_due': { by: system, data: subscription },
  'subscriptions.recovered': { by: [...members, 'system'], data: subscription },
  'subscriptions.lapsed': { by: system, data: subscription },
  'subscriptions.ends_soon': { by: system, data: subscription.extend({ days: z.int() }) },
  'subscriptions.cancel_planned': { by: [...members, 'system'], data: subscription },
  'subscriptions.cancel_withdrawn': { by: [...members, 'system'], data: subscription },
  'subscriptions.ended': { by: [...members, 'system'], data: subscription },
  'subscriptions.disputed': { by: system, data: subscription },
  'subscriptions.price_changed': { by: system, data: subscription },
  // Visible only to the workspace that owns the install.
  'installs.credential_created': { by: person, data: inWorkspace },
  'installs.values_read': { by: ['install'], data: inWorkspace },
  'licence_keys.rotated': { by: person, data: inWorkspace },
  'api_tokens.created': {
    by: personOrProgram,
    data: z.strictObject({
      workspace_id,
      created_by: z.string().nullable(),
      expires_at: unixSeconds.nullable(),
    }),
  },
  'api_tokens.updated': { by: person, data: inWorkspace },
  'api_tokens.rotated': {
    by: person,
    data: z.strictObject({ workspace_id, previous_expires_at: unixSeconds.nullable() }),
  },
  'api_tokens.previous_secret_ended': { by: person, data: inWorkspace },
  'api_tokens.revoked': { by: ['user', 'system'], data: inWorkspace },
  'api_tokens.refused': {
    by: ['api_token'],
    data: z.strictObject({ workspace_id, reason: z.string(), count: z.int() }),
  },
  'ci_trusts.created': {
    by: person,
    data: z.strictObject({ workspace_id, issuer: z.string(), permissions: z.array(z.string()) }),
  },
  'ci_trusts.used': {
    by: ['api_token'],
    data: z.strictObject({ workspace_id, api_token_id: z.string(), expires_at: unixSeconds }),
  },
  'ci_trusts.deleted': { by: person, data: inWorkspace },
  'workspaces.updated': { by: person, data: inWorkspace },
  'workspaces.deleted': { by: person, data: inWorkspace },
  'members.added': { by: personOrProgram, data: member },
  'members.updated': { by: personOrProgram, data: member },
  'members.removed': { by: personOrProgram, data: z.strictObject({ workspace_id, user_id: z.string() }) },
  'invitations.created': { by: person, data: invitation },
  'invitations.accepted': { by: person, data: invitation.extend({ user_id: z.string() }) },
  'invitations.declined': { by: person, data: invitation },
  'invitations.revoked': { by: ['user', 'system'], data: invitation },
  'sign_ins.succeeded': { by: person, data: ofPerson },
  'sign_ins.refused': { by: person, data: counted },
  'sign_ins.locked_out': { by: person, data: counted },
  'sessions.started': {
    by: personOrProgram,
    data: z.strictObject({ user_id, client_id: z.string().nullable() }),
  },
  'sessions.confirmed': { by: person, data: ofPerson },
  'sessions.ended': { by: [...personOrProgram, 'system'], data: ofPerson },
  'passwords.set': { by: personOrProgram, data: ofPerson },
  'factors.added': { by: person, data: ofFactor },
  'factors.removed': { by: person, data: ofFactor },
  'factors.recovery_codes_created': { by: person, data: ofPerson },
  'factors.recovery_code_used': { by: person, data: ofPerson },
  'factors.counter_stalled': { by: person, data: ofPerson },
  'factors.reset': { by: program, data: ofPerson },
  'device_grants.approved': {
    by: person,
    data: ofGrant.extend({
      // Null: all that the person may, in any workspace, as long as a session lives. Absent: of an earlier release.
      granted: z
        .strictObject({
          permissions: z.array(z.string()).nullable(),
          workspace_id: z.string().nullable(),
          expires_in: z.int().nullable(),
        })
        .optional(),
    }),
  },
  'device_grants.denied': { by: person, data: ofGrant },
  'users.verified': { by: program, data: ofPerson },
  'users.updated': { by: person, data: ofPerson },
  'users.deleted': { by: person, data: ofPerson },
  'oauth_clients.put': { by: program, data: z.strictObject({}) },
  'signing_keys.rotated': { by: program, data: z.strictObject({ retired: z.string().nullable() }) },
  'signing_keys.removed': { by: program, data: z.strictObject({}) },
  'mail_preferences.updated': { by: person, data: z.strictObject({ workspace_id, user_id }) },
  'secrets.resealed': { by: program, data: z.strictObject({ count: z.int() }) },
  'quotas.set': {
    by: program,
    data: z.strictObject({ workspace_id, quota: z.string(), most: z.int().nullable() }),
  },
  'clusters.created': { by: personOrProgram, data: inWorkspace },
  'clusters.updated': { by: personOrProgram, data: inWorkspace },
  'clusters.deleted': { by: ['user', 'system'], data: inWorkspace },
  'clusters.agent_secret_created': {
    by: personOrProgram,
    data: z.strictObject({
      workspace_id,
      previous_expires_at: unixSeconds.nullable(),
    }),
  },
  'clusters.agent_secret_revoked': { by: personOrProgram, data: inWorkspace },
  'compute_settings.updated': {
    by: members,
    data: z.strictObject({
      workspace_id,
      auto_scaling: z.enum(['active', 'inactive']),
      max_machines: z.int(),
      etag: z.string(),
    }),
  },
  'webhook_endpoints.created': { by: person, data: inWorkspace },
  'webhook_endpoints.updated': { by: person, data: inWorkspace },
  'webhook_endpoints.secret_rotated': { by: person, data: inWorkspace },
  'webhook_endpoints.paused': { by: person, data: inWorkspace },
  'webhook_endpoints.resumed': { by: person, data: inWorkspace },
  'webhook_endpoints.disabled': {
    by: system,
    data: z.strictObject({ workspace_id, reason: z.enum(['failing', 'gone']) }),
  },
  'webhook_endpoints.deleted': { by: personOrProgram, data: inWorkspace },
} satisfies Record<string, EventDefinition>

export const events = Object.fromEntries(
  Object.entries(definitions).map(([type, { data }]) => [type, data]),
) as {
  readonly [Type in keyof typeof definitions]: (typeof definitions)[Type]['data']
}

export type EventType = keyof typeof events

export const eventActors = Object.fromEntries(
  Object.entries(definitions).map(([type, { by }]) => [type, by]),
) as Readonly<Record<EventType, readonly ActorKind[]>>

/** Kept for the workspace's audit log, but never delivered: others can cause these as often as they like. */
export const auditTypes: readonly EventType[] = ['api_tokens.refused', 'installs.values_read']

/** The body of each message of the stream, with the `data` of `events`. */
export const eventMessage = z.strictObject({
  /** `evt_…`, the same each time the event is published; also the header `Nats-Msg-Id`. */
  id: z.string(),
  type: z.enum(Object.keys(events) as EventType[]),
  /** The changed resource; for a member `<workspace_id>/<user_id>`. */
  aggregate_id: z.string(),
  sequence: z.int(),
  created_at: unixSeconds,
  actor,
  request_id: z.string().nullable(),
  /** Changes by field; null if the event creates or deletes something. */
  changes: z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })).nullable(),
  data: z.unknown(),
})

export function eventTable(): string {
  const quoted = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')
  const rows = Object.entries<EventDefinition>(definitions).map(
    ([type, { by, data }]) =>
      `| \`${type}\` | ${quoted(Object.keys(data.shape)) || 'nothing'} | ${quoted(by)} |`,
  )
  return ['| Type | Data | Actor |', '|-|-|-|', ...rows].join('\n')
}
