/** What the OpenAPI document says of offers. */
import type { Reference } from '../openapi/operation-reference.ts'

export const offersReference = {
  create_offer: {
    command: { name: 'offers create', own: true },
    page: '/offers/new',
    group: 'Offers',
    description:
      'Creates an offer in one of three variants: of a product (`product_id`), of a package version (`package_version_id` alone), or through an offer channel (`product_id` and `offer_channel_id`). Every variant refuses unknown properties.\n\nThe offer is pinned to one package version: the one sent, otherwise the product’s current one. `field_values` are validated against the input schema of that version. With a channel, its active policy decides the terms: `pricing_request` and `commercial_mode` must be allowed by it, and whatever they leave out is taken from the policy.\n\n**Idempotency.** Send an `Idempotency-Key` and repeat the request as often as necessary: the same key with the same intent returns the original offer, with `Idempotent-Replayed: true`. The order of keys and of `allowed_emails`, and explicit defaults, do not change the intent; price and mode taken from a policy are not part of it. Keys are scoped to the workspace. A refusal (400, 403, 422) frees the key.',
    codes: [
      'key_reused',
      'key_in_flight',
      'reservation_expired',
      'unknown_reference',
      'no_current_version',
      'version_of_other_package',
      'channel_of_other_product',
      'channel_inactive',
      'time_in_past',
      'price_refused',
      'mode_refused',
      'invalid_field_value',
    ],
  },
  list_offers: {
    command: { name: 'offers list', own: true },
    page: '/offers',
    group: 'Offers',
    description:
      'Newest first. `idempotency_key` finds the offer of a request whose response was lost. A page may be shorter than `limit` without being the last.',
  },
  get_offer: {
    command: { name: 'offers get', own: true },
    page: '/offers/:id',
    group: 'Offers',
    description:
      'For the seller: requested terms, resolved terms, how many seats are taken, and `warnings` where its orders may come to nothing.',
  },
  revoke_offer: {
    command: { name: 'offers revoke', own: true },
    page: '/offers/:id/revoke',
    group: 'Offers',
    description:
      'No more seats can be taken once this call returns, and orders in progress are cancelled. Installs stay. Revoking an offer again changes nothing and returns it.',
  },
} as const satisfies Record<string, Reference>
