import type { OfferInput } from '@svc/contract/offers/offer-input'
import type { offers } from '@svc/contract/offers/offers'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../../deps.ts'
import { warningsOf } from '../offer-warnings.ts'
import { normalise } from './intent.ts'
import { readReferences } from './offer-references.ts'
import { resolveOffer } from './resolve-offer.ts'

/** Resolves and refuses as `POST /offers` does, and writes nothing. */
export const previewOffer: Handler<typeof offers.operations.preview_offer, Deps> = async (
  { body: sent },
  caller,
  deps,
) => {
  const body = sent as OfferInput
  const references = await readReferences(deps.sql, caller.workspace, body)
  const input = normalise(body)
  const { package_version_id, terms } = await resolveOffer({ body, input, caller, deps }, references)
  const { order_ttl_minutes } = body
  return {
    body: {
      package_version_id,
      policy_number: references.channel?.active?.number ?? null,
      terms,
      warnings: warningsOf({ state: 'active', terms, order_ttl_minutes }, deps.checkout.provider),
    },
  }
}
