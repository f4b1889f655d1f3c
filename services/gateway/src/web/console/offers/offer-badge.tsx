import type { OfferState } from '@svc/contract/offers/published-offers'
import { Badge, type Look } from '../../kit/ui/parts.tsx'

const badges: Readonly<Record<OfferState, readonly [text: string, look: Look]>> = {
  active: ['Active', 'good'],
  exhausted: ['Sold out', 'quiet'],
  expired: ['Expired', 'quiet'],
  revoked: ['Revoked', 'bad'],
}

export const OfferBadge = ({ state }: { readonly state: OfferState }) => (
  <Badge look={badges[state][1]}>{badges[state][0]}</Badge>
)

export const offerStateText = (state: OfferState): string => badges[state][0]
