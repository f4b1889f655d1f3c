import type { Order } from '../../kit/orders/order.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { LinkedText } from '../../kit/ui/linked-text.tsx'
import { When } from '../../kit/ui/when.tsx'

interface HowToPayProps {
  readonly order: Order
  readonly now: number
}

export function HowToPay({ order: { terms, reference, expires_at }, now }: HowToPayProps) {
  const { payment_instructions: instructions } = terms
  return (
    <section class="part-of-page" aria-labelledby="pay-title">
      <h2 id="pay-title">How to pay</h2>
      <dl class="facts">
        <div>
          <dt>Amount</dt>
          <dd>
            <strong>{priceText(terms)}</strong>
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>
            <code class="reference">{reference}</code>
            <p class="hint">Include this reference with your payment so the seller can match it.</p>
          </dd>
        </div>
        <div>
          <dt>Pay by</dt>
          <dd>
            <When at={expires_at} now={now} />
          </dd>
        </div>
      </dl>
      {instructions && (
        <div class="note">
          <h3>From the seller</h3>
          <p class="long lines">
            <LinkedText text={instructions} />
          </p>
        </div>
      )}
    </section>
  )
}
