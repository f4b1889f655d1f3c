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

/** The button's label: with a review nothing is paid before it. */
export function orderText(terms: Terms): string {
  if (terms.approval === 'manual') return 'Request approval'
  return terms.checkout === 'required' ? `Order and pay ${priceText(terms)}` : 'Order'
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
