import type { offers } from '@svc/contract/offers/offers'
import type { Reply } from '@svc/contract/core/operation'
import type { Checkout } from '../checkout/checkout.ts'

type Offer = Reply<typeof offers.operations.get_offer>['body']

/** A working day, in which somebody reads their mail; and the maximum, since banks take a day. */
const minutes = { approval: 480, payment: 1440 }

export function warningsOf(
  { state, terms, order_ttl_minutes: ttl }: Pick<Offer, 'state' | 'terms' | 'order_ttl_minutes'>,
  provider: Checkout['provider'],
): Offer['warnings'] {
  if (state !== 'active') return []
  const pays = terms.checkout === 'required' && provider === 'manual'
  const step = pays ? 'payment' : terms.approval === 'manual' ? 'approval' : undefined
  const warnings: Offer['warnings'] = []
  if (step && ttl < minutes[step]) {
    const waits = pays ? 'be paid and for you to confirm the payment' : 'be approved'
    warnings.push({
      code: 'short_order_ttl',
      message: `An order has ${durationText(ttl)} to ${waits}; then it expires. Create offers with order_ttl_minutes ${minutes[step]} (${durationText(minutes[step])}).`,
    })
  }
  if (pays && !terms.payment_instructions) {
    warnings.push({
      code: 'no_payment_instructions',
      message:
        'Customers are not told how to pay. Publish a policy with payment_instructions, and create offers from it.',
    })
  }
  return warnings
}

const durationText = (minutes: number): string =>
  minutes % 60 === 0 ? counted(minutes / 60, 'hour') : counted(minutes, 'minute')

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`
