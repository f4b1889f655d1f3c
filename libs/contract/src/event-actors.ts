/** Who the actor of an event can be, by its type, and the table of all types for the pages about events. */
import type { ActorKind } from './core/actor.ts'
import { type EventType, events } from './events.ts'

const member: readonly ActorKind[] = ['user', 'api_token']
const memberOrProgram: readonly ActorKind[] = [...member, 'internal']
const person: readonly ActorKind[] = ['user']
const personOrProgram: readonly ActorKind[] = ['user', 'internal']
const program: readonly ActorKind[] = ['internal']
const itself: readonly ActorKind[] = ['system']

export const eventActors: Readonly<Record<EventType, readonly ActorKind[]>> = {
  'packages.created': memberOrProgram,
  'packages.updated': memberOrProgram,
  'packages.deleted': person,
  'package_versions.created': memberOrProgram,
  'products.created': memberOrProgram,
  'products.updated': memberOrProgram,
  'products.deleted': person,
  'offer_channels.created': memberOrProgram,
  'offer_channels.updated': memberOrProgram,
  'offer_channels.deleted': person,
  'offer_channels.policy_published': memberOrProgram,
  'offer_channels.policy_activated': memberOrProgram,
  'offers.created': member,
  'offers.revoked': member,
  'orders.created': member,
  'orders.awaiting_approval': member,
  'orders.awaiting_checkout': member,
  'orders.ends_soon': itself,
  'orders.completed': [...member, 'system'],
  'orders.expired': itself,
  'orders.rejected': member,
  'orders.cancelled': [...member, 'system'],
  'orders.refund_due': itself,
  'orders.refunded': itself,
  'installs.created': [...member, 'system'],
  'installs.removed': member,
  'installs.credential_created': person,
  'installs.values_read': ['install'],
  'api_tokens.created': personOrProgram,
  'api_tokens.rotated': person,
  'api_tokens.revoked': ['user', 'system'],
  'api_tokens.refused': ['api_token'],
  'workspaces.updated': person,
  'members.added': personOrProgram,
  'members.updated': personOrProgram,
  'members.removed': personOrProgram,
  'invitations.created': person,
  'invitations.accepted': person,
  'invitations.declined': person,
  'invitations.revoked': ['user', 'system'],
  'sign_ins.succeeded': person,
  'sign_ins.refused': person,
  'sign_ins.locked_out': person,
  'sessions.started': personOrProgram,
  'sessions.ended': [...personOrProgram, 'system'],
  'passwords.set': personOrProgram,
  'device_grants.approved': person,
  'device_grants.denied': person,
  'users.verified': program,
  'oauth_clients.put': program,
  'signing_keys.rotated': program,
  'signing_keys.removed': program,
  'mail_preferences.updated': person,
  'secrets.resealed': program,
  'quotas.set': program,
  'clusters.created': personOrProgram,
  'clusters.updated': personOrProgram,
  'clusters.deleted': ['user', 'system'],
  'clusters.agent_secret_created': personOrProgram,
  'clusters.agent_secret_revoked': personOrProgram,
  'compute_settings.updated': member,
  'webhook_endpoints.created': person,
  'webhook_endpoints.updated': person,
  'webhook_endpoints.secret_rotated': person,
  'webhook_endpoints.paused': person,
  'webhook_endpoints.resumed': person,
  'webhook_endpoints.disabled': itself,
  'webhook_endpoints.deleted': person,
}

/** As Markdown. */
export function eventTable(): string {
  const quoted = (names: readonly string[]) => names.map(name => `\`${name}\``).join(', ')
  const rows = (Object.keys(events) as EventType[]).map(
    type =>
      `| \`${type}\` | ${quoted(Object.keys(events[type].shape)) || 'nothing'} | ${quoted(eventActors[type])} |`,
  )
  return ['| Type | Data | Actor |', '|-|-|-|', ...rows].join('\n')
}
