import type { termsBeforeOrder } from '@svc/contract/offers/published-offers'
import type { z } from 'zod'

type Terms = z.output<typeof termsBeforeOrder>

export const hasTerms = ({ approval, checkout, support }: Terms): boolean =>
  checkout === 'required' || approval === 'manual' || Boolean(support)

export function TermsRows({ terms }: { readonly terms: Terms }) {
  const { approval, checkout, support } = terms
  return (
    <>
      {checkout === 'required' && (
        <div>
          <dt>Payment</dt>
          <dd>Due before install</dd>
        </div>
      )}
      {approval === 'manual' && (
        <div>
          <dt>Approval</dt>
          <dd>The seller reviews every order first</dd>
        </div>
      )}
      {support && (
        <div>
          <dt>Support</dt>
          <dd class="long">{support}</dd>
        </div>
      )}
    </>
  )
}

export type Provider = 'manual' | 'stripe'

/** @param provider of payments, which only matters where one is required */
function kindOf({ commercial_mode, price, checkout }: Terms, provider: Provider) {
  if (commercial_mode === 'non_billable_test') return 'test'
  if (!price?.unit_amount) return 'free'
  if (checkout === 'none') return 'outside'
  return provider === 'stripe' ? 'card' : 'transfer'
}

const buttons = {
  test: 'Order · test, not charged',
  free: 'Order, free',
  outside: 'Order',
  transfer: 'Order · pay by transfer',
  card: 'Order · pay by card',
} as const

/** The button's label: with a review nothing is paid before it. */
export const orderText = (terms: Terms, provider: Provider): string =>
  terms.approval === 'manual' ? 'Request approval' : buttons[kindOf(terms, provider)]

/** What is paid, and whether again: docs/selling/checkout.md. */
export function periodText(terms: Terms, provider: Provider): string | undefined {
  const { price } = terms
  if (!price) return undefined
  switch (kindOf(terms, provider)) {
    case 'outside':
      return `The seller collects ${priceText(terms)} outside this product. Nothing is charged here.`
    case 'transfer':
      return `You pay the seller ${money(price)} for one ${price.interval}, as they tell you after you order. Nothing renews or is charged by itself.`
    case 'card':
      return `A subscription with Stripe: ${money(price)} when you pay, then every ${price.interval} until it’s cancelled.`
    default:
      return undefined
  }
}

export function priceText({
  commercial_mode,
  price,
}: Pick<Terms, 'commercial_mode' | 'price'> & Partial<Terms>): string {
  const test = commercial_mode === 'non_billable_test'
  if (!price) return test ? 'Free (test offer)' : 'Free'
  const text = price.unit_amount === 0 ? 'Free' : `${money(price)} per ${price.interval}`
  return test ? `${text} (test offer, not charged)` : text
}

export function money({
  currency,
  unit_amount,
}: {
  readonly currency: string
  readonly unit_amount: number
}) {
  const format = new Intl.NumberFormat('en-IE', { style: 'currency', currency: currency.toUpperCase() })
  return format.format(unit_amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
