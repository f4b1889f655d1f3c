import type { Order } from '../../kit/orders/order.ts'
import type { Summary } from '../offer/resolve-offer.ts'
import { Seller } from '../offer/seller-view.tsx'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { Page } from '../../kit/page/layout.tsx'
import { dateText } from '../../kit/ui/moments.ts'
import { orderScriptPath } from '../../kit/page/stylesheet.ts'
import type { Visit } from '../../kit/visit/visit.ts'

interface ReceiptProps {
  readonly visit: Visit
  readonly order: Order
  readonly seller: Summary['seller']
  readonly workspace: string
}

export function ReceiptPage({ visit, order, seller, workspace }: ReceiptProps) {
  const { id, name, reference, ordered_by, install_id, updated_at, terms } = order
  return (
    <Page title={`Receipt ${reference}`} visit={visit} width="wide" scripts={[orderScriptPath]}>
      <p class="hint on-screen">
        <a href={`/orders/${id}`}>Back to the order</a>
      </p>
      <h1>Receipt</h1>
      <Seller seller={seller} />
      <dl class="facts">
        <div>
          <dt>Customer</dt>
          <dd class="long">
            {workspace}
            {ordered_by.email && (
              <>
                <br />
                {ordered_by.email}
              </>
            )}
          </dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>
            <code class="reference">{reference}</code>
          </dd>
        </div>
        <div>
          <dt>Date</dt>
          <dd>{dateText(updated_at)}</dd>
        </div>
      </dl>
      <table class="receipt">
        <thead>
          <tr>
            <th scope="col">Item</th>
            <th scope="col">Price</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td class="long">{name}</td>
            <td>{priceText(terms)}</td>
          </tr>
        </tbody>
      </table>
      <p>{paymentText(order)}</p>
      <dl class="facts">
        <div>
          <dt>Order</dt>
          <dd>
            <code class="long">{id}</code>
          </dd>
        </div>
        <div>
          <dt>Install</dt>
          <dd>
            <code class="long">{install_id}</code>
          </dd>
        </div>
      </dl>
      <p class="hint">This is not a tax invoice. If you need one, ask the seller.</p>
      <p class="actions">
        {/* The script makes it appear. */}
        <button type="button" class="button" id="print" hidden>
          Print
        </button>
      </p>
    </Page>
  )
}

export function paymentText({ terms, checkout }: Pick<Order, 'terms' | 'checkout'>): string {
  if (!terms.price?.unit_amount || terms.commercial_mode === 'non_billable_test')
    return 'Nothing was charged.'
  if (checkout?.provider === 'stripe') return 'Paid with Stripe.'
  if (checkout?.provider === 'manual') return 'Paid. The seller has confirmed the payment.'
  return 'The seller will bill you separately.'
}
