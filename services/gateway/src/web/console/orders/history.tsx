import type { activity } from '@svc/contract/activity/activity'
import type { Reply } from '@svc/contract/core/operation'
import { type OrderState, orderStates } from '@svc/contract/offers/orders'
import type { Order } from '../../kit/orders/order.ts'
import { When } from '../../kit/ui/when.tsx'

export type Event = Reply<typeof activity.operations.list_events>['body']['data'][number]

export interface Entry {
  readonly text: string
  /** Undefined: by time, or unknown. */
  readonly by: string | undefined
  /** Unix seconds. */
  readonly at: number
  /** The state that began with it; undefined: none. */
  readonly state: OrderState | undefined
  readonly isOwn: boolean
}

/**
 * The oldest first. Events follow an order within a second, and are kept as long as the operator decides, so the
 * first and the last entry come from the order if their events are missing.
 *
 * @param user the reader
 */
export function historyOf(order: Order, events: readonly Event[], user: string): Entry[] {
  const entries = events.flatMap(event => {
    const text = textOf(event)
    if (text === undefined) return []
    const isOwn = event.actor?.kind === 'user' && event.actor.id === user
    return [{ text, by: byOf(event, order), at: event.created_at, state: stateOf(event), isOwn }]
  })
  const unknown = { by: undefined, isOwn: false }
  if (entries[0]?.state !== 'open') {
    entries.unshift({
      ...unknown,
      text: 'Order placed',
      at: order.created_at,
      state: 'open',
      by: customerOf(order),
    })
  }
  if (entries.findLast(({ state }) => state)?.state !== order.state) {
    const [text] = began[order.state]
    entries.push({ ...unknown, text, at: order.updated_at, state: order.state })
  }
  return entries
}

export function History({ entries, now }: { readonly entries: readonly Entry[]; readonly now: number }) {
  return (
    <ol class="history">
      {entries.map(({ text, by, at }) => (
        <li key={`${at} ${text}`}>
          <strong>{text}</strong>
          {by && <span class="long"> by {by}</span>}
          <br />
          <When at={at} now={now} />
        </li>
      ))}
    </ol>
  )
}

const began: Readonly<Record<OrderState, readonly [string, Partial<Record<OrderState, string>>?]>> = {
  open: ['Order placed'],
  awaiting_approval: ['Details submitted'],
  awaiting_checkout: ['Payment due', { open: 'Details submitted', awaiting_approval: 'Approved' }],
  completed: [
    'Install started',
    {
      open: 'Details submitted, install started',
      awaiting_approval: 'Approved, install started',
      awaiting_checkout: 'Payment confirmed, install started',
      expired: 'Late payment received, install started',
      cancelled: 'Late payment received, install started',
    },
  ],
  expired: ['Expired'],
  rejected: ['Rejected'],
  cancelled: ['Cancelled'],
}

const others: Readonly<Record<string, string>> = {
  'orders.ends_soon': 'Expires in 30 minutes',
  'orders.refund_due': 'Payment came too late, refund due',
  'orders.refunded': 'Payment refunded',
}

function stateOf({ type }: Event): OrderState | undefined {
  const name = type === 'orders.created' ? 'open' : type.replace('orders.', '')
  return orderStates.find(state => state === name)
}

function textOf(event: Event): string | undefined {
  const state = stateOf(event)
  if (!state) return others[event.type]
  const [text, from] = began[state]
  return from?.[event.changes?.state?.before as OrderState] ?? text
}

const customerOf = ({ ordered_by: { email, id } }: Order): string => email ?? `API token ${id}`

function byOf({ actor, type }: Event, order: Order): string | undefined {
  if (!actor) return undefined
  const { kind, id, name, workspace_id } = actor
  if (kind === 'system') return id === 'stripe' ? 'Stripe' : undefined
  // The seller knows only the person who ordered, and nobody else of the customer submits.
  if (workspace_id !== order.seller_workspace_id) {
    return type === 'orders.cancelled' ? 'the customer' : customerOf(order)
  }
  if (kind === 'api_token') return name ? `API token “${name}”` : `API token ${id}`
  return name ?? id ?? undefined
}
