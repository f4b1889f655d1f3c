import type { offers } from '@svc/contract/offers/offers'
import type { Reply } from '@svc/contract/core/operation'
import type { Order } from '../../kit/orders/order.ts'
import { hasTerms, priceText, TermsRows } from '../../kit/offers/terms-view.tsx'
import { LinkedText } from '../../kit/ui/linked-text.tsx'

export type OwnOffer = Reply<typeof offers.operations.get_offer>['body']

export function SellersTerms({ order: { terms } }: { readonly order: Order }) {
  return (
    <section class="card sale" aria-labelledby="terms-title">
      <h2 id="terms-title">Terms</h2>
      <dl class="facts">
        <div>
          <dt>Price</dt>
          <dd>{priceText(terms)}</dd>
        </div>
        {hasTerms(terms) && <TermsRows terms={terms} />}
        {terms.payment_instructions && (
          <div>
            <dt>Payment instructions</dt>
            <dd class="long lines">
              <LinkedText text={terms.payment_instructions} />
            </dd>
          </div>
        )}
      </dl>
    </section>
  )
}

interface SellersNotesProps {
  readonly offer: OwnOffer
  readonly root: string
}

export function SellersNotes({ offer, root }: SellersNotesProps) {
  const { id, customer, internal_note, notes, seats, warnings } = offer
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    ['Customer', customer && [customer.display_name, customer.external_id].filter(Boolean).join(', ')],
    ['Internal note', internal_note],
    ['Message to customer', notes],
    [
      'Orders completed',
      seats.max_uses === null ? `${seats.redeemed}` : `${seats.redeemed} of ${seats.max_uses}`,
    ],
  ]
  return (
    <section class="card sale" aria-labelledby="offer-title">
      <h2 id="offer-title">Offer</h2>
      <dl class="facts">
        {rows.map(
          ([label, text]) =>
            text && (
              <div key={label}>
                <dt>{label}</dt>
                <dd class="long lines">{text}</dd>
              </div>
            ),
        )}
        <div>
          <dt>Offer</dt>
          <dd>
            <a class="long" href={`${root}/offers/${id}`}>
              {id}
            </a>
          </dd>
        </div>
      </dl>
      {warnings.map(({ code, message }) => (
        <p key={code} class="warning">
          {message}
        </p>
      ))}
    </section>
  )
}
