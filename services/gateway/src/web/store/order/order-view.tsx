import { consoleRoot } from '../../kit/visit/console-root.ts'
import { draftKey } from '../../kit/offers/draft-key.ts'
import { FieldValues } from '../../kit/offers/field-values.tsx'
import { Form } from '../../kit/forms/form.tsx'
import { Page } from '../../kit/page/layout.tsx'
import { Seller } from '../offer/seller-view.tsx'
import { HowToPay } from './how-to-pay.tsx'
import { LiveNote } from '../../kit/orders/live-note.tsx'
import { isUnderWay, isWaiting, OrderProgress } from '../../kit/orders/progress.tsx'
import { OrderFacts, type OrderFactsProps } from './order-facts.tsx'
import { SidesNav } from '../../kit/orders/sides-nav.tsx'
import { orderScriptPath, pagesScriptPath } from '../../kit/page/stylesheet.ts'
import type { Order } from '../../kit/orders/order.ts'
import type { Summary } from '../offer/resolve-offer.ts'
import { MarkdownView } from '../../kit/ui/markdown-view.tsx'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { When } from '../../kit/ui/when.tsx'
import type { Visit } from '../../kit/visit/visit.ts'

interface OrderPageProps extends OrderFactsProps {
  readonly visit: Visit
  readonly seller: Summary['seller']
  readonly schema: Readonly<Record<string, unknown>> | undefined
  readonly instructions: string | null
  readonly canOrderAgain: boolean
  readonly isOnBothSides: boolean
}

export function OrderPage(props: OrderPageProps) {
  const { visit, order, name, workspace, cluster, seller, schema, now } = props
  const { instructions, canOrderAgain, isOnBothSides } = props
  const { id, state, reason, short_hash, field_values } = order
  const { title, text } = texts[state]
  const underWay = isUnderWay(state)
  return (
    <Page
      title={title}
      visit={visit}
      width="wide"
      scripts={[pagesScriptPath, ...(isWaiting(state) ? [orderScriptPath] : [])]}
    >
      {isOnBothSides && <SidesNav order={order} side="customer" />}
      {state === 'completed' && (
        <svg class="mark approved" viewBox="0 0 48 48" aria-hidden="true">
          <circle cx="24" cy="24" r="22" />
          <path d="M14 25l7 7 13-15" />
        </svg>
      )}
      <h1
        data-order={id}
        data-draft={state !== 'open' && visit.person ? draftKey(visit.person, short_hash) : undefined}
      >
        {title}
      </h1>
      <OrderProgress order={order} />
      <p>{text(order)}</p>
      {isWaiting(state) && <LiveNote order={order} />}
      {underWay && !waitsForManualPayment(order) && (
        <p>
          Reserved for you until <When at={order.expires_at} now={now} />.
          {state !== 'awaiting_approval' && ' Complete your order before then.'}
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
      {instructions && (
        <section class="part-of-page" aria-labelledby="instructions-title">
          <h2 id="instructions-title">What to do now</h2>
          <MarkdownView text={instructions} />
        </section>
      )}
      <Seller seller={seller} />
      <OrderFacts order={order} name={name} workspace={workspace} cluster={cluster} now={now} />
      {field_values && Object.keys(field_values).length > 0 && (
        <section class="part-of-page" aria-labelledby="values-title">
          <h2 id="values-title">Your details</h2>
          <FieldValues values={field_values} schema={schema} />
        </section>
      )}
      <Steps visit={visit} order={order} underWay={underWay} canOrderAgain={canOrderAgain} />
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
  const { id, state, short_hash, install_id, workspace_id } = order
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
      {isWaiting(state) && (
        <a class="button second" href={`/orders/${id}`}>
          Refresh
        </a>
      )}
      {underWay && (
        <a class="button danger" href={`/orders/${id}/cancel`}>
          Cancel order
        </a>
      )}
      {install_id && (
        <a class="button" href={`${consoleRoot(workspace_id)}/installs/${install_id}`}>
          View install
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

const refundOf = ({ checkout }: Order) => String(checkout && 'refund' in checkout && checkout.refund)

const refunds: Record<string, string> = {
  due: 'Your payment arrived after the offer had sold out. It will be refunded.',
  done: 'Your payment arrived after the offer had sold out. It has been refunded.',
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
    text: () => 'The seller is reviewing your order. You don’t need to do anything.',
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
    text: () => 'It was not completed in time, and is no longer reserved for you. Nothing was installed.',
  },
  rejected: { title: 'The seller rejected your order', text: () => 'Nothing was installed.' },
  cancelled: { title: 'Your order was cancelled', text: () => 'Nothing was installed.' },
}

interface PayPageProps {
  readonly visit: Visit
  readonly order: Order
  /** A URL on another site. Our forms may not lead there, links may. */
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
