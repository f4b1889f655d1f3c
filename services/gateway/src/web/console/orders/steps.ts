import type { Role } from '@svc/contract/core/caller'
import { offers } from '@svc/contract/offers/offers'
import type { Order } from '../../kit/orders/order.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import type { Member } from '../../kit/visit/acting.ts'

export const stepNames = ['approve', 'reject', 'confirm_payment', 'cancel'] as const
export type StepName = (typeof stepNames)[number]

interface Step {
  readonly path: string
  readonly operation: 'approve_order' | 'reject_order' | 'confirm_payment' | 'cancel_order'
  readonly label: string
  readonly isDangerous?: boolean
  isPossible(order: Order): boolean
  readonly question: string
  follows(order: Order): string
}

const released =
  'Nothing is installed, and the offer can take another order instead. We’ll notify the customer.'

export const steps: Readonly<Record<StepName, Step>> = {
  approve: {
    path: 'approve',
    operation: 'approve_order',
    label: 'Approve',
    isPossible: ({ state }) => state === 'awaiting_approval',
    question: 'Approve this order?',
    follows: ({ terms }) =>
      terms.checkout === 'required'
        ? `We’ll ask the customer to pay ${priceText(terms)}. The install starts once they’ve paid.`
        : 'The install starts immediately.',
  },
  confirm_payment: {
    path: 'confirm-payment',
    operation: 'confirm_payment',
    label: 'Confirm payment',
    isPossible: order => order.state === 'awaiting_checkout' && order.checkout?.provider === 'manual',
    question: 'Confirm the payment?',
    follows: ({ terms, reference }) =>
      `Confirm only after you’ve received ${priceText(terms)} with reference ${reference}. The install starts immediately.`,
  },
  reject: {
    path: 'reject',
    operation: 'reject_order',
    label: 'Reject',
    isDangerous: true,
    isPossible: ({ state }) => state === 'awaiting_approval',
    question: 'Reject this order?',
    follows: () => released,
  },
  // An order that waits for approval is rejected with a reason instead.
  cancel: {
    path: 'cancel',
    operation: 'cancel_order',
    label: 'Cancel order',
    isDangerous: true,
    isPossible: ({ state }) => state === 'open' || state === 'awaiting_checkout',
    question: 'Cancel this order?',
    follows: ({ checkout }) =>
      checkout?.provider === 'manual'
        ? `${released} If they’ve already paid you, you need to refund them.`
        : released,
  },
}

export const possibleSteps = (order: Order): StepName[] =>
  stepNames.filter(name => steps[name].isPossible(order))

const rolesOf = (name: StepName): readonly Role[] => offers.operations[steps[name].operation].access.roles

/** Whether the role permits it; the service decides by the same list. */
export const permits = (name: StepName, member: Member): boolean =>
  'role' in member && member.role !== undefined && rolesOf(name).includes(member.role)

export const whoMay = (name: StepName): string => {
  const plurals = rolesOf(name).map(role => `${role}s`)
  return plurals.length > 1 ? `${plurals.slice(0, -1).join(', ')} and ${plurals.at(-1)}` : plurals.join('')
}
