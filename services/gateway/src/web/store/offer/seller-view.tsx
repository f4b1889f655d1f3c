import { When } from '../../kit/ui/when.tsx'
import type { Summary } from './resolve-offer.ts'
import { hasTerms, priceText, TermsRows } from '../../kit/offers/terms-view.tsx'

export function Seller({ seller }: Pick<Summary, 'seller'>) {
  if (!seller) return null
  return (
    <p class="seller">
      <span class="initials" aria-hidden="true">
        {initialsOf(seller.name)}
      </span>
      <span class="long">
        Sold by <strong>{seller.name}</strong>
        {seller.support_email && (
          <>
            <br />
            <a href={`mailto:${encodeURIComponent(seller.support_email)}`}>{seller.support_email}</a>
          </>
        )}
      </span>
    </p>
  )
}

export const Price = ({ terms }: Pick<Summary, 'terms'>) => <p class="price">{priceText(terms)}</p>

interface FactsProps {
  readonly terms: Summary['terms']
  /** Undefined: unknown; null: unlimited. */
  readonly seatsLeft?: number | null | undefined
  readonly expiresAt: number | null
  readonly now: number
}

export function OfferFacts({ terms, seatsLeft = null, expiresAt, now }: FactsProps) {
  if (!hasTerms(terms) && seatsLeft === null && expiresAt === null) return null
  return (
    <dl class="facts">
      <TermsRows terms={terms} />
      {seatsLeft !== null && (
        <div>
          <dt>Availability</dt>
          <dd>{seatsText(seatsLeft)}</dd>
        </div>
      )}
      {expiresAt !== null && (
        <div>
          <dt>Offer expires</dt>
          <dd>
            <When at={expiresAt} now={now} />
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Orders in progress may hold all, some of which end without an install. */
const seatsText = (left: number) => (left === 0 ? 'None left at the moment' : `${left} left`)

export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words
  return chosen.map(word => [...(word ?? '')][0]?.toLocaleUpperCase('en')).join('') || '–'
}
