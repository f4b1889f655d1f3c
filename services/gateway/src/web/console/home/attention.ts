import type { Answer, Item } from '../ui/answers.ts'
import type { IconName } from '../../kit/ui/icons.ts'

/** Undefined: not permitted, or no answer. */
interface Found {
  readonly toApprove: Answer<'list_orders'> | undefined
  readonly toConfirm: Answer<'list_orders'> | undefined
  readonly overdueSold: Overdue | undefined
  readonly overdueOwned: Overdue | undefined
  readonly endingTokens: Answer<'list_api_tokens'> | undefined
  readonly unusedTokens: Answer<'list_api_tokens'> | undefined
  readonly endpoints: Answer<'list_webhook_endpoints'> | undefined
  readonly invitations: Answer<'list_invitations'> | undefined
  readonly clusters: readonly Item<'list_clusters'>[] | undefined
  /** Unix seconds. */
  readonly now: number
}

/** Installs that are not paid for any more. */
export interface Overdue {
  readonly data: readonly { readonly install: Item<'list_installs'>; readonly order: Named | undefined }[]
  readonly next_cursor: string | null
}

type Named = Pick<Answer<'get_order'>, 'name' | 'reference' | 'ordered_by'>

export interface Waiting {
  readonly key: string
  readonly icon: IconName
  readonly text: string
  readonly detail: string
  /** Below the workspace's root, or below the site's root with `~`. */
  readonly path: string
  readonly at: number | null
}

/** An agent reports every few seconds: after this many it counts as silent. */
export const silentAfterSeconds = 300

export function attentionOf(found: Found): Waiting[] {
  return [
    ...(found.toApprove?.data ?? []).map(order => ofOrder(order, 'Review an order', 'cart')),
    ...more(found.toApprove, 'More orders waiting for approval', '/orders?state=awaiting_approval', 'cart'),
    ...(found.toConfirm?.data ?? [])
      .filter(({ checkout }) => checkout?.provider !== 'stripe')
      .map(order => ofOrder(order, 'Confirm a payment', 'check')),
    ...more(found.toConfirm, 'More orders waiting for payment', '/orders?state=awaiting_checkout', 'check'),
    ...ofOverdue(found.overdueOwned, 'owned'),
    ...ofOverdue(found.overdueSold, 'sold'),
    ...(found.invitations?.data ?? []).map(({ id, workspace, role, created_at }) => ({
      key: id,
      icon: 'users' as const,
      text: `You’ve been invited to ${workspace.name}`,
      detail: `Role: ${role}`,
      path: '~/invitations',
      at: created_at,
    })),
    ...(found.endpoints?.data ?? [])
      .filter(({ state, failing_since }) => state === 'disabled' || failing_since !== null)
      .map(({ id, url, state, failing_since }) => ({
        key: id,
        icon: 'webhook' as const,
        text: state === 'disabled' ? 'Webhook endpoint disabled' : 'Webhook endpoint failing',
        detail: url,
        path: `/webhooks/${id}`,
        at: failing_since,
      })),
    ...(found.clusters ?? [])
      // An agent that has never reported is still being set up.
      .filter(
        ({ agent: { has_secret, last_reported_at: at } }) =>
          has_secret && at !== null && isSilent(at, found.now),
      )
      .map(({ id, name, agent }) => ({
        key: id,
        icon: 'server' as const,
        text: 'Cluster agent not reporting',
        detail: name,
        path: `/clusters/${id}`,
        at: agent.last_reported_at,
      })),
    ...(found.endingTokens?.data ?? []).map(({ id, name, expires_at }) => ({
      key: `${id} ends`,
      icon: 'key' as const,
      text: 'API token expires soon',
      detail: name,
      path: `/tokens/${id}`,
      at: expires_at,
    })),
    ...(found.unusedTokens?.data ?? []).map(({ id, name, last_used_at, created_at }) => ({
      key: `${id} unused`,
      icon: 'key' as const,
      text: 'API token unused for 90 days',
      detail: name,
      path: `/tokens/${id}`,
      at: last_used_at ?? created_at,
    })),
    ...more(found.endingTokens, 'More API tokens expire soon', '/tokens', 'key'),
    ...more(found.unusedTokens, 'More API tokens unused for 90 days', '/tokens', 'key'),
    ...more(found.invitations, 'More invitations', '~/invitations', 'users'),
  ]
}

const overdueTexts = {
  owned: { past_due: 'Your payment is past due', lapsed: 'Your subscription lapsed' },
  sold: { past_due: 'A customer’s payment is past due', lapsed: 'A customer’s subscription lapsed' },
} as const

function ofOverdue(found: Overdue | undefined, side: 'owned' | 'sold'): Waiting[] {
  const rows = (found?.data ?? []).map(({ install: { id, subscription }, order }) => {
    const names = order ? [order.name, order.reference, side === 'sold' && order.ordered_by.email] : [id]
    return {
      key: `${id} ${side}`,
      icon: 'warning' as const,
      text: overdueTexts[side][subscription?.state === 'lapsed' ? 'lapsed' : 'past_due'],
      detail: names.filter(Boolean).join(' · '),
      path: `/installs/${id}`,
      at: subscription?.paid_through ?? null,
    }
  })
  const path = `/installs?relation=${side}&subscription=overdue`
  return [...rows, ...more(found ?? { next_cursor: null }, 'More overdue subscriptions', path, 'warning')]
}

const more = (
  list: { readonly next_cursor: string | null } | undefined,
  text: string,
  path: string,
  icon: IconName,
): Waiting[] => (list?.next_cursor ? [{ key: text, icon, text, detail: '', path, at: null }] : [])

export const isSilent = (reportedAt: number | null, now: number): boolean =>
  reportedAt === null || now - reportedAt > silentAfterSeconds

function ofOrder(
  { id, name, reference, ordered_by, updated_at }: Item<'list_orders'>,
  text: string,
  icon: IconName,
): Waiting {
  const detail = `${name} · ${reference} · ${ordered_by.email ?? 'API token'}`
  return { key: id, icon, text, detail, path: `/orders/${id}`, at: updated_at }
}
