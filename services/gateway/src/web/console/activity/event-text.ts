import { auditTypes, type EventType, events } from '@svc/contract/events'
import { asWords } from '../../kit/ui/words.ts'
import type { Item } from '../ui/answers.ts'

const nouns: Readonly<Record<string, string>> = {
  api_tokens: 'API token',
  ci_trusts: 'CI trust',
  package_versions: 'Package version',
  offer_channels: 'Terms',
  compute_settings: 'Compute settings',
  webhook_endpoints: 'Webhook endpoint',
  sign_ins: 'Sign-in',
  factors: 'Second factor',
  device_grants: 'Device',
  mail_preferences: 'Mail preferences',
}

const texts: Readonly<Record<string, string>> = {
  'orders.awaiting_approval': 'Waiting for approval',
  'orders.awaiting_checkout': 'Waiting for payment',
  'offer_channels.policy_published': 'New terms published',
  'offer_channels.policy_activated': 'Terms activated',
}

const wordsOf = (type: string) => {
  const [noun = '', verb = ''] = type.split('.')
  return { noun: nouns[noun] ?? asWords(noun).replace(/s$/, ''), verb: verb.replaceAll('_', ' ') }
}

export function eventText(type: string): string {
  const { noun, verb } = wordsOf(type)
  return texts[type] ?? `${noun} ${verb}`
}

/**
 * What somebody did, `{}` being the resource; with a capital letter a whole sentence. All others follow from their type:
 * `clusters.created` is “created cluster {}”.
 */
const phrases: Partial<Record<EventType, string>> = {
  'offer_channels.policy_published': 'published new terms in {}',
  'offer_channels.policy_activated': 'activated terms of {}',
  'orders.created': 'placed order {}',
  'orders.awaiting_approval': 'Order {} is waiting for approval',
  'orders.awaiting_checkout': 'Order {} is waiting for payment',
  'orders.ends_soon': 'Order {} expires soon',
  'orders.expired': 'Order {} expired',
  'subscriptions.started': 'The subscription of install {} has started',
  'subscriptions.renewed': 'The subscription of install {} was paid for another period',
  'subscriptions.past_due': 'The payment for install {} is past due',
  'subscriptions.recovered': 'The subscription of install {} is paid again',
  'subscriptions.lapsed': 'The subscription of install {} has lapsed',
  'subscriptions.ends_soon': 'What is paid for install {} ends soon',
  'subscriptions.cancel_planned': 'The subscription of install {} was cancelled',
  'subscriptions.cancel_withdrawn': 'The subscription of install {} was resumed',
  'subscriptions.ended': 'The subscription of install {} has ended',
  'subscriptions.disputed': 'A payment for install {} is disputed',
  'subscriptions.price_changed': 'Stripe has another price for install {} than its terms',
  'orders.refund_due': 'The payment of order {} will be refunded',
  'orders.refunded': 'The payment of order {} was refunded',
  'installs.created': 'started install {}',
  'installs.removed': 'marked install {} as removed',
  'installs.credential_created': 'created a credential of install {}',
  'installs.values_read': 'Install {} read its values',
  'licence_keys.rotated': 'rotated the licence keys',
  'api_tokens.previous_secret_ended': 'ended the previous secret of API token {}',
  'api_tokens.refused': 'API token {} was refused',
  'workspaces.updated': 'changed the workspace',
  'workspaces.deleted': 'deleted the workspace',
  'members.added': 'added member {}',
  'members.updated': 'changed the role of {}',
  'invitations.created': 'sent an invitation',
  'invitations.accepted': 'accepted an invitation',
  'invitations.declined': 'declined an invitation',
  'invitations.revoked': 'revoked an invitation',
  'sign_ins.succeeded': 'signed in',
  'sign_ins.refused': 'A sign-in as {} was refused',
  'sign_ins.locked_out': 'Sign-ins as {} were locked out',
  'sessions.started': 'started a session',
  'sessions.ended': 'ended a session',
  'passwords.set': 'set a new password',
  'factors.added': 'added a second factor',
  'factors.removed': 'removed a second factor',
  'factors.recovery_codes_created': 'made new recovery codes',
  'factors.recovery_code_used': 'used a recovery code',
  'factors.counter_stalled': 'used a passkey whose counter did not grow',
  'factors.reset': 'removed all second factors of {}',
  'device_grants.approved': 'approved a device',
  'device_grants.denied': 'denied a device',
  'users.verified': 'verified the address of {}',
  'users.updated': 'changed their name',
  'users.deleted': 'deleted their account',
  'oauth_clients.put': 'registered OAuth client {}',
  'signing_keys.rotated': 'rotated the signing keys',
  'mail_preferences.updated': 'changed their email preferences',
  'secrets.resealed': 'resealed stored secrets',
  'quotas.set': 'set a quota',
  'clusters.agent_secret_created': 'created an agent secret of cluster {}',
  'clusters.agent_secret_revoked': 'revoked the agent secret of cluster {}',
  'compute_settings.updated': 'changed the compute settings of cluster {}',
  'webhook_endpoints.secret_rotated': 'rotated the secret of webhook endpoint {}',
  'webhook_endpoints.disabled': 'Webhook endpoint {} was disabled',
}

const ofOneself: Partial<Record<EventType, string>> = {
  'members.added': 'joined the workspace',
  'members.removed': 'left the workspace',
}

/** A member's id is `<workspace>/<user>`. */
export const resourceOf = (aggregate: string): string => aggregate.slice(aggregate.lastIndexOf('/') + 1)

type Event = Item<'list_events'>
type Where = { readonly workspace: { readonly id: string } }

/** “ada@acme.example created cluster Frankfurt” */
export function sentenceOf(
  event: Pick<Event, 'type' | 'aggregate_id' | 'actor' | 'data'>,
  where: Where,
  names: Readonly<Record<string, string>>,
): string {
  const type = event.type as EventType
  const resource = resourceOf(event.aggregate_id)
  const { noun, verb } = wordsOf(type)
  const object = /^[A-Z]{2}/.test(noun) ? noun : noun.toLowerCase()
  const phrase =
    (event.actor?.id === resource ? ofOneself[type] : undefined) ?? phrases[type] ?? `${verb} ${object} {}`
  const who = byWhom(event, where).replace(/^by /, '') || 'someone'
  const sentence = /^[A-Z]/.test(phrase) ? phrase : `${asSubject(who)} ${phrase}`
  return sentence.replace('{}', () => names[resource] ?? resource)
}

/** Addresses stay as they are. */
const asSubject = (who: string) => (/^(the|someone)\b/.test(who) ? asWords(who) : who)

const about = (key: string) =>
  (Object.keys(events) as EventType[]).filter(type => Object.hasOwn(events[type].shape, key))

/** What a workspace finds among its events, and with `audit` in its audit log, where sign-ins of members are as well. */
export const ownTypes = (audit: boolean): readonly EventType[] =>
  audit
    ? [...new Set([...about('workspace_id'), ...about('user_id')])]
    : about('workspace_id').filter(type => !auditTypes.includes(type))

export const byWhom = ({ actor, data }: Pick<Event, 'actor' | 'data'>, { workspace }: Where): string =>
  actorText(actor, otherSide(data, workspace.id))

/** For people of another workspace only the kind of actor is shown; `other` is their relation to this workspace. */
export function actorText(actor: Event['actor'], other = 'the other party'): string {
  if (!actor) return ''
  const { kind, name, id } = actor
  if (kind === 'system') return id === 'stripe' ? 'by Stripe' : 'by the system'
  if (kind === 'internal') return 'by the operator'
  const who = name ?? id
  if (!who) return `by ${other}`
  return kind === 'api_token' ? `by API token “${who}”` : `by ${who}`
}

/** Orders and installs have two sides. */
function otherSide(data: unknown, workspace: string): string | undefined {
  if (typeof data !== 'object' || data === null || !('customer_workspace_id' in data)) return undefined
  return data.customer_workspace_id === workspace ? 'the seller' : 'the customer'
}
