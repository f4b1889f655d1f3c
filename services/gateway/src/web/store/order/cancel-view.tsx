import type { Order } from '../../kit/orders/order.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { Form } from '../../kit/forms/form.tsx'
import { Page } from '../../kit/page/layout.tsx'
import type { Visit } from '../../kit/visit/visit.ts'

interface CancelPageProps {
  readonly visit: Visit
  readonly order: Order
}

export function CancelPage({ visit, order }: CancelPageProps) {
  const { id, name, reference, state, terms } = order
  return (
    <Page title="Cancel this order?" visit={visit}>
      <h1>Cancel this order?</h1>
      <p>Nothing will be installed, and it is no longer reserved for you. This can’t be undone.</p>
      {state === 'awaiting_checkout' && (
        <p class="warning">If you have already paid, keep the order until your payment is confirmed.</p>
      )}
      <dl class="facts">
        <div>
          <dt>Product</dt>
          <dd class="long">{name}</dd>
        </div>
        <div>
          <dt>Reference</dt>
          <dd>{reference}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>{priceText(terms)}</dd>
        </div>
      </dl>
      <Form action={`/orders/${id}/cancel`} csrf={visit.csrf}>
        <p class="actions">
          <button type="submit" class="button danger">
            Cancel order
          </button>
          <a class="button second" href={`/orders/${id}`}>
            Keep order
          </a>
        </p>
      </Form>
    </Page>
  )
}
