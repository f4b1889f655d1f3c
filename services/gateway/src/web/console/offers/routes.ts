import type { ConsolePages } from '../shell/scene.ts'
import { editOfferPages } from './edit-offer.tsx'
import { newOfferPages } from './new/new-offer.tsx'
import { offerDetail } from './offer.tsx'
import { offerList } from './offers.tsx'
import { revokeOfferPages } from './revoke.tsx'

export function offerPages(pages: ConsolePages) {
  offerList(pages)
  newOfferPages(pages)
  offerDetail(pages)
  editOfferPages(pages)
  revokeOfferPages(pages)
}
