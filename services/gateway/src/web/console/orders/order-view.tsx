import { ConsolePage } from '../shell/console-page.tsx'
import type { Scene } from '../shell/scene.ts'
import { FieldValues } from '../../kit/offers/field-values.tsx'
import type { Order } from '../../kit/orders/order.ts'
import { priceText } from '../../kit/offers/terms-view.tsx'
import { When } from '../../kit/ui/when.tsx'
import { orderScriptPath } from '../../kit/page/stylesheet.ts'
import { LiveNote } from '../../kit/orders/live-note.tsx'
import { isUnderWay } from '../../kit/orders/progress.tsx'
import { MarkdownView } from '../../kit/ui/markdown-view.tsx'
import { SidesNav } from '../../kit/orders/sides-nav.tsx'
import { StateBadge } from '../../kit/orders/state-badge.tsx'
import { type Entry, History } from './history.tsx'
import { type OwnOffer, SellersNotes, SellersTerms } from './seller-terms.tsx'
import { possibleSteps, permits, steps, whoMay } from './steps.ts'

export interface Sale {
  readonly order: Order
  readonly offer: OwnOffer
  readonly schema: Readonly<Record<string, unknown>>
  readonly instructions: string | null
  readonly entries: readonly Entry[]
  readonly isPartial: boolean
}

interface SellerOrderProps {
  readonly scene: Scene
  readonly sale: Sale
  readonly isOnBothSides: boolean
  readonly late?: string | undefined
}

export function SellerOrderPage(props: SellerOrderProps) {
  const { scene, sale, isOnBothSides, late } = props
  const { now } = scene
  const { order, offer, schema, instructions, entries, isPartial } = sale
  const { id, name, state, reference, reason, field_values, install_id } = order
  const underWay = isUnderWay(state)
  const { title, text } = texts[state]
  return (
    <ConsolePage
      scene={scene}
      title={`Order ${reference}`}
      part="/orders"
      crumbs={[{ label: 'Orders', path: '/orders' }]}
      scripts={underWay ? [orderScriptPath] : []}
    >
      {isOnBothSides && <SidesNav order={order} side="seller" />}
      {late && (
        <p class="warning" role="alert">
          {late}
        </p>
      )}
      <div class="order-head">
        <h1>
          Order <span class="order-reference">{reference}</span> <StateBadge state={state} />
        </h1>
        <p class="long order-what">
          <strong>{name}</strong> <span class="order-price">{priceText(order.terms)}</span>
        </p>
      </div>
      <section class="note" aria-labelledby="next-title">
        <h2 id="next-title">{title}</h2>
        <p>{text(order)}</p>
        {underWay && (
          <p>
            Expires <When at={order.expires_at} now={now} /> unless it’s completed first.
          </p>
        )}
        <Decisions {...props} />
        {underWay && <LiveNote order={order} />}
      </section>
      {refunds[refundOf(order)] && <p class="notice">{refunds[refundOf(order)]}</p>}
      {reason && (
        <section class="note" aria-labelledby="reason-title">
          <h2 id="reason-title">Reason shown to the customer</h2>
          <p class="long lines">{reason}</p>
        </section>
      )}
      <section class="card sale" aria-labelledby="customer-title">
        <h2 id="customer-title">Customer</h2>
        <dl class="facts">
          <div>
            <dt>Ordered by</dt>
            <dd class="long">{order.ordered_by.email ?? <>API token {order.ordered_by.id}</>}</dd>
          </div>
          <div>
            <dt>Workspace</dt>
            <dd>
              <CustomersName {...props} />
            </dd>
          </div>
          <div>
            <dt>Ordered</dt>
            <dd>
              <When at={order.created_at} now={now} />
            </dd>
          </div>
          {install_id && (
            <div>
              <dt>Install</dt>
              <dd>
                <a href={`${scene.root}/installs/${install_id}`}>
                  <code class="long">{install_id}</code>
                </a>
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
      </section>
      {field_values && (
        <section class="card sale" aria-labelledby="values-title">
          <h2 id="values-title">Order details</h2>
          {Object.keys(field_values).length > 0 ? (
            <FieldValues values={field_values} schema={schema} />
          ) : (
            <p class="hint">This offer doesn’t ask for any.</p>
          )}
        </section>
      )}
      {instructions && (
        <section class="card sale" aria-labelledby="instructions-title">
          <h2 id="instructions-title">What the customer does now</h2>
          <MarkdownView text={instructions} />
        </section>
      )}
      <SellersTerms order={order} />
      <SellersNotes offer={offer} root={scene.root} />
      <section class="card sale" aria-labelledby="history-title">
        <h2 id="history-title">History</h2>
        {isPartial && <p class="hint">Part of the history can’t be loaded right now. Refresh in a moment.</p>}
        <History entries={entries} now={now} />
      </section>
    </ConsolePage>
  )
}

function CustomersName({ scene: { workspaces }, sale: { order } }: SellerOrderProps) {
  const known = workspaces.find(({ id }) => id === order.workspace_id)
  return known ? <span class="long">{known.name}</span> : <code class="long">{order.workspace_id}</code>
}

function Decisions({ scene: { member, root }, sale: { order } }: SellerOrderProps) {
  const possible = possibleSteps(order)
  if (possible.length === 0) return null
  const own = possible.filter(name => permits(name, member))
  const [foreign] = possible.filter(name => !permits(name, member))
  return (
    <>
      {own.length > 0 && (
        <p class="actions">
          {own.map(name => (
            <a
              key={name}
              class={steps[name].isDangerous ? 'button danger' : 'button'}
              href={`${root}/orders/${order.id}/${steps[name].path}`}
            >
              {steps[name].label}
            </a>
          ))}
        </p>
      )}
      {foreign && <p class="hint">{`Only ${whoMay(foreign)} can do this.`}</p>}
    </>
  )
}

const refundOf = ({ checkout }: Order) => String(checkout?.refund)

const refunds: Record<string, string> = {
  due: 'The payment arrived too late and will be refunded.',
  done: 'The payment arrived too late and has been refunded.',
}

const ended = 'Nothing was installed, and the offer can take another order instead.'

const texts: Record<Order['state'], { title: string; text: (order: Order) => string }> = {
  open: {
    title: 'Waiting for the customer',
    text: () => 'They’ve started the order but haven’t submitted their details yet.',
  },
  awaiting_approval: {
    title: 'Review this order',
    text: () => 'Approve it, or reject it with a reason the customer will see.',
  },
  awaiting_checkout: {
    title: 'Waiting for payment',
    text: ({ checkout, terms, reference }) =>
      checkout?.provider === 'manual'
        ? `We asked the customer to pay ${priceText(terms)} with reference ${reference}. Confirm the payment once you’ve received it.`
        : 'The customer is paying with Stripe. The order completes automatically.',
  },
  completed: {
    title: 'The install has started',
    text: () => 'This order is complete. There’s nothing left to do.',
  },
  expired: {
    title: 'Order expired',
    text: () => 'The order expired. The offer can take another one instead.',
  },
  rejected: { title: 'Order rejected', text: () => ended },
  cancelled: { title: 'Order cancelled', text: () => ended },
}
