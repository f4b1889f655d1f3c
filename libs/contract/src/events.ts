/** Every event of the product: its type and data. Subject: `events.<type>`. */
import * as z from 'zod'
import { actor } from './core/actor.ts'
import { unixSeconds } from './core/text.ts'

/** The JetStream stream that has them all. */
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
/** A person, in whatever workspaces. */
const ofPerson = z.strictObject({ user_id })
const counted = z.strictObject({ user_id, count: z.int() })
const ofGrant = z.strictObject({ user_id, client_id: z.string() })

/** Visible to both sides of the order. */
const order = z.strictObject({ workspace_id, customer_workspace_id: z.string(), offer_id: z.string() })

/** `data` of each type: ids and states, and neither what people write nor what is secret. */
export const events = {
  'packages.created': inWorkspace,
  'packages.updated': inWorkspace,
  'packages.deleted': inWorkspace,
  'package_versions.created': z.strictObject({ workspace_id, package_id: z.string() }),
  'products.created': product,
  'products.updated': product,
  'products.deleted': inWorkspace,
  'offer_channels.created': offerChannel,
  'offer_channels.updated': offerChannel,
  'offer_channels.deleted': ofProduct,
  'offer_channels.policy_published': channelPolicy,
  'offer_channels.policy_activated': channelPolicy,
  'offers.created': z.strictObject({
    workspace_id,
    product_id: z.string().nullable(),
    package_version_id: z.string(),
    offer_channel_id: z.string().nullable(),
    policy_number: z.int().nullable(),
  }),
  'offers.revoked': z.strictObject({ workspace_id }),
  'orders.created': order,
  'orders.awaiting_approval': order,
  'orders.awaiting_checkout': order,
  'orders.ends_soon': order,
  'orders.completed': order,
  'orders.expired': order,
  'orders.rejected': order,
  'orders.cancelled': order,
  'orders.refund_due': order,
  'orders.refunded': order,
  'installs.created': order.extend({
    order_id: z.string(),
    product_id: z.string().nullable(),
    package_version_id: z.string(),
    cluster_id: z.string().nullable(),
  }),
  'installs.removed': order.extend({ order_id: z.string(), cluster_id: z.string().nullable() }),
  // Visible only to the workspace that owns the install.
  'installs.credential_created': inWorkspace,
  'installs.values_read': inWorkspace,
  'api_tokens.created': z.strictObject({
    workspace_id,
    created_by: z.string().nullable(),
    expires_at: unixSeconds.nullable(),
  }),
  'api_tokens.rotated': z.strictObject({ workspace_id, previous_expires_at: unixSeconds.nullable() }),
  'api_tokens.revoked': inWorkspace,
  'api_tokens.refused': z.strictObject({ workspace_id, reason: z.string(), count: z.int() }),
  'workspaces.updated': inWorkspace,
  'members.added': member,
  'members.updated': member,
  'members.removed': z.strictObject({ workspace_id, user_id: z.string() }),
  'invitations.created': invitation,
  'invitations.accepted': invitation.extend({ user_id: z.string() }),
  'invitations.declined': invitation,
  'invitations.revoked': invitation,
  'sign_ins.succeeded': ofPerson,
  'sign_ins.refused': counted,
  'sign_ins.locked_out': counted,
  'sessions.started': z.strictObject({ user_id, client_id: z.string().nullable() }),
  'sessions.ended': ofPerson,
  'passwords.set': ofPerson,
  'device_grants.approved': ofGrant,
  'device_grants.denied': ofGrant,
  'users.verified': ofPerson,
  'oauth_clients.put': z.strictObject({}),
  'signing_keys.rotated': z.strictObject({ retired: z.string().nullable() }),
  'signing_keys.removed': z.strictObject({}),
  'mail_preferences.updated': z.strictObject({ workspace_id, user_id }),
  'secrets.resealed': z.strictObject({ count: z.int() }),
  'quotas.set': z.strictObject({ workspace_id, quota: z.string(), most: z.int().nullable() }),
  'clusters.created': z.strictObject({ workspace_id }),
  'clusters.updated': z.strictObject({ workspace_id }),
  'clusters.deleted': z.strictObject({ workspace_id }),
  'clusters.agent_secret_created': z.strictObject({
    workspace_id,
    previous_expires_at: unixSeconds.nullable(),
  }),
  'clusters.agent_secret_revoked': inWorkspace,
  'compute_settings.updated': z.strictObject({
    workspace_id,
    auto_scaling: z.enum(['active', 'inactive']),
    max_machines: z.int(),
    etag: z.string(),
  }),
  'webhook_endpoints.created': inWorkspace,
  'webhook_endpoints.updated': inWorkspace,
  'webhook_endpoints.secret_rotated': inWorkspace,
  'webhook_endpoints.paused': inWorkspace,
  'webhook_endpoints.resumed': inWorkspace,
  'webhook_endpoints.disabled': z.strictObject({ workspace_id, reason: z.enum(['failing', 'gone']) }),
  'webhook_endpoints.deleted': inWorkspace,
} satisfies Record<string, z.ZodType>

export type EventType = keyof typeof events

/** Kept for the workspace's audit log, and never delivered: others can cause these as often as they like. */
export const auditTypes: readonly EventType[] = ['api_tokens.refused', 'installs.values_read']

/** The body of each message of the stream, with `data` as `events` says. */
export const eventMessage = z.strictObject({
  /** `evt_…`, the same each time the event is published; also the header `Nats-Msg-Id`. */
  id: z.string(),
  type: z.enum(Object.keys(events) as EventType[]),
  /** What changed. Of a member: `<workspace_id>/<user_id>`. */
  aggregate_id: z.string(),
  /** Grows from event to event of one aggregate, with gaps. */
  sequence: z.int(),
  created_at: unixSeconds,
  actor,
  /** Id of the request that made the change, as in its response; null if there was no request. */
  request_id: z.string().nullable(),
  /** What differs, by field; null where nothing can: what is created or deleted has no other state. */
  changes: z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })).nullable(),
  data: z.unknown(),
})
