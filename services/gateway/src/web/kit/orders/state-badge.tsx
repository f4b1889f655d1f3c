import type { OrderState } from '@svc/contract/offers/orders'

const badges: Readonly<Record<OrderState, readonly [text: string, look: string]>> = {
  open: ['Incomplete', 'waits'],
  awaiting_approval: ['Waiting for approval', 'waits'],
  awaiting_checkout: ['Waiting for payment', 'waits'],
  completed: ['Completed', 'done'],
  expired: ['Expired', 'ended'],
  rejected: ['Rejected', 'ended'],
  cancelled: ['Cancelled', 'ended'],
}

export const StateBadge = ({ state }: { readonly state: OrderState }) => (
  <span class={`badge ${badges[state][1]}`}>{badges[state][0]}</span>
)

export const stateText = (state: OrderState): string => badges[state][0]
