import type { OrderState } from '@svc/contract/offers/orders'
import type { Order } from './order.ts'

export const isUnderWay = (state: OrderState): boolean =>
  state === 'open' || state === 'awaiting_approval' || state === 'awaiting_checkout'

/** For the seller or for a payment: nothing is left for the customer to fill in. */
export const isWaiting = (state: OrderState): boolean =>
  state === 'awaiting_approval' || state === 'awaiting_checkout'

type Step = 'Details' | 'Approval' | 'Payment' | 'Install'

export function OrderProgress({ order }: { readonly order: Order }) {
  const steps = stepsOf(order)
  const current = order.state === 'completed' ? steps.length : steps.indexOf(reachedBy(order))
  return (
    <ol class="progress" aria-label="Progress of the order">
      {steps.map((name, at) => {
        const look =
          at < current ? 'done' : at > current ? 'ahead' : isUnderWay(order.state) ? 'now' : 'ended'
        return (
          <li key={name} class={look} aria-current={look === 'now' ? 'step' : undefined}>
            {name}
            <span class="unseen">{said[look]}</span>
          </li>
        )
      })}
    </ol>
  )
}

const said = { done: ' (done)', now: ' (now)', ended: ' (ended here)', ahead: ' (later)' } as const

export function stepsOf({ terms: { approval, checkout } }: Pick<Order, 'terms'>): Step[] {
  return [
    'Details',
    ...(approval === 'manual' ? (['Approval'] as const) : []),
    ...(checkout === 'required' ? (['Payment'] as const) : []),
    'Install',
  ]
}

function reachedBy({ state, checkout, field_values, terms }: Order): Step {
  if (state === 'open' || field_values === null) return 'Details'
  if (state === 'rejected' || state === 'awaiting_approval') return 'Approval'
  if (state === 'awaiting_checkout' || checkout !== null || terms.approval !== 'manual') return 'Payment'
  return 'Approval'
}
