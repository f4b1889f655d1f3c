import type { Deps } from '../../deps.ts'

/** The id of the subscription that a message is about: all that is believed of it. */
export function subscriptionOf(type: string, object: unknown): string | undefined {
  const { id, parent, subscription } = (object ?? {}) as {
    id?: unknown
    subscription?: unknown
    parent?: { subscription_details?: { subscription?: unknown } | null } | null
  }
  if (type.startsWith('customer.subscription.')) return textOf(id)
  // API versions before 2025-03-31 have it on the invoice itself.
  if (type === 'invoice.paid' || type === 'invoice.payment_failed')
    return textOf(parent?.subscription_details?.subscription ?? subscription)
  return undefined
}

/** Has the dispute read, once: it names no subscription. */
export async function noteDispute(
  object: unknown,
  { sql, now }: Pick<Deps, 'sql' | 'now'>,
): Promise<'marked' | 'repeated' | 'unreadable'> {
  const id = textOf((object as { id?: unknown } | undefined)?.id)
  if (id === undefined) return 'unreadable'
  const noted = await sql`/* offers.note_dispute */
    insert into disputes (id, received_at, check_at) values (${id}, to_timestamp(${now() / 1000}), ${now()})
    on conflict do nothing
    returning 1 as one`
  return noted.length > 0 ? 'marked' : 'repeated'
}

const textOf = (value: unknown) => (typeof value === 'string' && value.length <= 255 ? value : undefined)

/** Has it read at once. One that has ended stays as it is. */
export async function markSubscription(
  subscription: string,
  { sql, now }: Pick<Deps, 'sql' | 'now'>,
): Promise<'marked' | 'not_found'> {
  const marked = await sql`/* offers.mark_subscription */
    update subscriptions set check_at = ${now()}
    where subscription = ${subscription} and ended_at is null
    returning 1 as one`
  return marked.length > 0 ? 'marked' : 'not_found'
}
