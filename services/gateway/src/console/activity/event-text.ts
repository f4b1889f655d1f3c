/** Events in words. */
import { asWords } from '../ui/words.ts'
import type { Item } from '../ui/answers.ts'

const nouns: Readonly<Record<string, string>> = {
  api_tokens: 'API token',
  package_versions: 'Package version',
  offer_channels: 'Offer channel',
  compute_settings: 'Compute settings',
  webhook_endpoints: 'Webhook endpoint',
  sign_ins: 'Sign-in',
  device_grants: 'Device',
  mail_preferences: 'Mail preferences',
}

/** `orders.awaiting_approval` → `Order: awaiting approval`. */
export function eventText(type: string): string {
  const [noun = '', verb = ''] = type.split('.')
  const singular = nouns[noun] ?? asWords(noun).replace(/s$/, '')
  return `${singular} ${verb.replaceAll('_', ' ').replace('awaiting checkout', 'awaiting payment')}`
}

/** Who did it; of another workspace's people nothing is told but what kind of actor it was. */
export function actorText(actor: Item<'list_events'>['actor']): string {
  if (!actor) return ''
  const { kind, name, id } = actor
  if (kind === 'system') return id === 'stripe' ? 'by Stripe' : 'by the system'
  const who = name ?? id
  if (!who) return 'by the other party'
  return kind === 'api_token' ? `by API token “${who}”` : `by ${who}`
}
