import { FieldValues } from '../offer/field-values.tsx'
import { Form } from '../shared/form.tsx'
import { Page } from '../shared/layout.tsx'
import { Seller } from '../offer/seller-view.tsx'
import { HowToPay } from './how-to-pay.tsx'
import { LiveNote } from './live-note.tsx'
import { isUnderWay, OrderProgress } from './progress.tsx'
import { SidesNav } from './sides-nav.tsx'
import { Moment } from '../shared/moment.tsx'
import type { Order, Summary } from '../offer/resolve-offer.ts'
import { priceText } from '../offer/terms-view.tsx'
import { orderScriptPath } from '../shared/stylesheet.ts'
import type { Visit } from '../shared/visit.ts'

interface OrderPageProps {
  readonly visit: Visit
  readonly order: Order
  /** Of what was ordered. */
  readonly name: string
  readonly workspace: string
  /** Null: it cannot be told now. */
  readonly seller: Summary['seller']
  readonly schema: Readonly<Record<string, unknown>> | undefined
  /** Whether the offer takes another order. */
  readonly canOrderAgain: boolean
  readonly isOnBothSides: boolean
  readonly now: number
}

export function OrderPage(props: OrderPageProps) {
  const { visit, order, name, workspace, seller, schema, canOrderAgain, isOnBothSides, now } = props
  const { id, state, reason, install_id, field_values } = order
  const { title, text } = texts[state]
  const underWay = isUnderWay(state)
  return (
    <Page title={title} visit={visit} width="wide">
      {isOnBothSides && <SidesNav id={id} side="customer" />}
      {state === 'completed' && (
        <svg class="mark approved" viewBox="0 0 48 48" aria-hidden="true">
          <circle cx="24" cy="24" r="22" />
          <path d="M14 25l7 7 13-15" />
        </svg>
      )}
      <h1>{title}</h1>
      <OrderProgress order={order} />
      <p>{text(order)}</p>
      {waits(order) && <LiveNote state={state} />}
      {underWay && !waitsForManualPayment(order) && (
        <p>
          Your order expires <Moment at={order.expires_at} now={now} /> unless it is completed before.
        </p>
      )}
      {refunds[refundOf(order)] && <p class="notice">{refunds[refundOf(order)]}</p>}
      {reason && (
        <section class="note" aria-labelledby="reason-title">
          <h2 id="reason-title">Reason</h2>
          <p class="long lines">{reason}</p>
        </section>
      )}
      {waitsForManualPayment(order) && <HowToPay order={order} now={now} />}
      <Seller seller={seller} />
      <dl class="facts">
        <div>
          <dt>Ordered</dt>
          <dd>
            <strong class="long">{name}</strong>
          </dd>
        </div>
        {install_id && (
          <div>
            <dt>Install</dt>
            <dd>
              <code class="long">{install_id}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>Price</dt>
          <dd>{priceText(order.terms)}</dd>
        </div>
        <div>
          <dt>Workspace</dt>
          <dd class="long">{workspace}</dd>
        </div>
        {order.ordered_by.email && (
          <div>
            <dt>By</dt>
            <dd class="long">{order.ordered_by.email}</dd>
          </div>
        )}
        <div>
          <dt>At</dt>
          <dd>
            <Moment at={order.created_at} now={now} />
          </dd>
        </div>
        {underWay && (
          <div>
            <dt>Reserved until</dt>
            <dd>
              <Moment at={order.expires_at} now={now} />
            </dd>
          </div>
        )}
        <div>
          <dt>Order</dt>
          <dd>
            <code class="long">{id}</code>
          </dd>
        </div>
      </dl>
      {field_values && Object.keys(field_values).length > 0 && (
        <section class="part-of-page" aria-labelledby="values-title">
          <h2 id="values-title">Your details</h2>
          <FieldValues values={field_values} schema={schema} />
        </section>
      )}
      <Steps visit={visit} order={order} underWay={underWay} canOrderAgain={canOrderAgain} />
      {waits(order) && <script src={orderScriptPath} defer />}
    </Page>
  )
}

interface StepsProps {
  readonly visit: Visit
  readonly order: Order
  readonly underWay: boolean
  readonly canOrderAgain: boolean
}

function Steps({ visit: { csrf }, order, underWay, canOrderAgain }: StepsProps) {
  const { id, state, short_hash } = order
  return (
    <div class="actions">
      {paysElsewhere(order) && (
        <Form action={`/orders/${id}/checkout`} csrf={csrf}>
          <button type="submit" class="button">
            Go to payment
          </button>
        </Form>
      )}
      {state === 'open' && (
        <a class="button" href={`/i/${short_hash}`}>
          Continue your order
        </a>
      )}
      {waits(order) && (
        <a class="button second" href={`/orders/${id}`}>
          Refresh
        </a>
      )}
      {underWay && (
        <a class="button danger" href={`/orders/${id}/cancel`}>
          Cancel the order
        </a>
      )}
      {state === 'completed' && (
        <a class="button second" href={`/orders/${id}/receipt`}>
          Receipt
        </a>
      )}
      {state === 'expired' && canOrderAgain ? (
        <a class="button" href={`/i/${short_hash}`}>
          Order again
        </a>
      ) : (
        state !== 'open' && <a href={`/i/${short_hash}`}>Back to the offer</a>
      )}
    </div>
  )
}

/** For the seller or for a payment: nothing is left to do here. */
const waits = ({ state }: Order) => state === 'awaiting_approval' || state === 'awaiting_checkout'

const refundOf = ({ checkout }: Order) => String(checkout && 'refund' in checkout && checkout.refund)

/** For a payment that came when no seat was left. */
const refunds: Record<string, string> = {
  due: 'Your payment arrived after the last seat was taken. It will be refunded.',
  done: 'Your payment arrived after the last seat was taken. It has been refunded.',
}

const waitsForManualPayment = ({ state, checkout }: Order) =>
  state === 'awaiting_checkout' && checkout?.provider === 'manual'

const paysElsewhere = ({ state, checkout }: Order) =>
  state === 'awaiting_checkout' && checkout !== null && checkout.provider !== 'manual'

const texts: Record<Order['state'], { title: string; text: (order: Order) => string }> = {
  open: {
    title: 'Your order is not complete',
    text: () => 'Your details have not been accepted yet. Complete the order while it is reserved.',
  },
  awaiting_approval: {
    title: 'Waiting for the seller',
    text: () => 'The seller reviews your order and approves or rejects it. You don’t need to do anything.',
  },
  awaiting_checkout: {
    title: 'Waiting for payment',
    text: order =>
      paysElsewhere(order)
        ? 'The install starts once you have paid. If you have just paid, your payment is being confirmed: refresh in a moment.'
        : `The install starts once the seller confirms your payment.${order.terms.payment_instructions ? '' : ' They will tell you how to pay.'}`,
  },
  completed: { title: 'Your install has started', text: () => 'The order is complete.' },
  expired: {
    title: 'Your order has expired',
    text: () => 'It was not completed in time, and its seat was released. Nothing was installed.',
  },
  rejected: { title: 'The seller rejected your order', text: () => 'Nothing was installed.' },
  cancelled: { title: 'Your order was cancelled', text: () => 'Nothing was installed.' },
}

interface PayPageProps {
  readonly visit: Visit
  readonly order: Order
  /** Of another site. A form of ours may not lead there, a link may. */
  readonly url: string
}

export function PayPage({ visit, order, url }: PayPageProps) {
  return (
    <Page title="Go to payment" visit={visit}>
      <h1>Go to payment</h1>
      <p>
        You will pay <strong>{priceText(order.terms)}</strong> on{' '}
        <strong class="long">{new URL(url).host}</strong>, then return to your order.
      </p>
      <p class="actions">
        <a class="button" href={url}>
          Pay
        </a>
        <a href={`/orders/${order.id}`}>Back to the order</a>
      </p>
    </Page>
  )
}
