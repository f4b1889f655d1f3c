import type { offers } from '@svc/contract/offers/offers'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { createOffer } from './create/create-offer.ts'
import { getOffer } from './get-offer.ts'
import { listOffers } from './list-offers.ts'
import { resolveOffer } from './resolve-offer.ts'
import { revokeOffer } from './revoke-offer.ts'

export const offersHandlers = {
  create_offer: createOffer,
  list_offers: listOffers,
  get_offer: getOffer,
  revoke_offer: revokeOffer,
  resolve_offer: resolveOffer,
} satisfies Partial<Handlers<typeof offers, Deps>>
