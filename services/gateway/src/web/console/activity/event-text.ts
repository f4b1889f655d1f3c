import { asWords } from '../../kit/ui/words.ts'
import type { Item } from '../ui/answers.ts'

const nouns: Readonly<Record<string, string>> = {
  api_tokens: 'API token',
  package_versions: 'Package version',
  offer_channels: 'Terms',
  compute_settings: 'Compute settings',
  webhook_endpoints: 'Webhook endpoint',
  sign_ins: 'Sign-in',
  device_grants: 'Device',
  mail_preferences: 'Mail preferences',
}

const sentences: Readonly<Record<string, string>> = {
  'orders.awaiting_approval': 'Waiting for approval',
  'orders.awaiting_checkout': 'Waiting for payment',
  'offer_channels.policy_published': 'New terms published',
  'offer_channels.policy_activated': 'Terms activated',
}

export function eventText(type: string): string {
  const sentence = sentences[type]
  if (sentence) return sentence
  const [noun = '', verb = ''] = type.split('.')
  const singular = nouns[noun] ?? asWords(noun).replace(/s$/, '')
  return `${singular} ${verb.replaceAll('_', ' ')}`
}

type Event = Item<'list_events'>
type Where = { readonly workspace: { readonly id: string } }

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
