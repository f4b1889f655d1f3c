/** Offers, orders and installs. */
import type { Reference } from './reference.ts'

export const offersReference = {
  create: {
    group: 'Offers',
    description:
      'Creates an offer in one of three variants: of a product (`product_id`), of a package version (`package_version_id` alone), or through an offer channel (`product_id` and `offer_channel_id`). Every variant refuses properties that it does not know.\n\nThe offer is pinned to one package version: the one that is sent, else the current one of the product. `field_values` are validated against the input schema of that version. With a channel, its active policy decides the terms: what `pricing_request` and `commercial_mode` ask for has to be allowed by it, and what they leave out is what the policy gives.\n\n**Idempotency.** Send an `Idempotency-Key` and repeat the request as often as need be: the same key with the same intent answers the original offer, with `Idempotent-Replayed: true`. The order of keys and of `allowed_emails`, and defaults that are written out, do not change the intent; the price and the mode that a policy gives are no part of it. Keys are scoped to the workspace. A refusal (400, 403, 422) frees the key.',
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
    group: 'Offers',
    description:
      'Newest first. `idempotency_key` finds the offer of a request whose answer was lost. A page may be shorter than `limit` and not be the last.',
  },
  get_offer: {
    group: 'Offers',
    description: 'For the seller: what was asked for, what was resolved, and how many seats are taken.',
  },
  revoke_offer: {
    group: 'Offers',
    description:
      'From the reply on nobody takes a seat. Orders that hold one may go on. An offer that is revoked already stays as it is, and is answered.',
  },
  resolve_offer: {
    group: 'Orders',
    description:
      'What a customer sees who opens the link `/i/<short_hash>`. Without a credential, or for somebody whom the allowlist does not name, it is the name alone; to who is entitled it is notes, terms and the form. What is between the seller and the offer (`internal_note`, `customer`) is never part of it.',
  },
  create_order: {
    group: 'Orders',
    description:
      'Takes a seat for `order_ttl_minutes`; an order that ends without an install gives it back. Seats are exact: never oversold, and never refused while one is left.\n\nA person has one order of an offer under way, whichever of their workspaces it is for. API tokens of other workspaces than the seller’s order where the seller set `allow_api_tokens`, and nowhere else.\n\n**Idempotency.** Who has an order under way from this offer for this workspace gets that one, with `Idempotent-Replayed: true`.',
    codes: [
      'credential_kind',
      'not_entitled',
      'offer_revoked',
      'offer_expired',
      'offer_exhausted',
      'no_seat',
      'order_under_way',
      'quota_exceeded',
    ],
  },
  list_orders: {
    group: 'Orders',
    description:
      'Newest first. `relation` chooses the side: `placed` by this workspace, or `received` from customers. A page may be shorter than `limit` and not be the last.',
  },
  get_order: { group: 'Orders', description: 'Both sides of an order may read it.' },
  submit_order: {
    group: 'Orders',
    description:
      'Submits the order with its field values, by who made it. Locked values of the offer win over those sent; the whole has to satisfy the input schema of the package version. Then approval and checkout follow as the terms say; without either the install starts at once.',
    codes: ['not_entitled', 'wrong_state', 'unknown_reference', 'invalid_field_value'],
  },
  cancel_order: {
    group: 'Orders',
    description:
      'Ends an order that is under way, by the workspace that placed it or the seller’s, and gives its seat back once. Money that comes for an order which the seller has cancelled goes back.',
    codes: ['wrong_state'],
  },
  begin_checkout: {
    group: 'Orders',
    description:
      'Begins the payment of an order that awaits its checkout. `url` is where to pay; with `manual` there is none, and the seller confirms the payment. A repetition answers the payment that is under way.',
    codes: ['wrong_state'],
  },
  approve_order: {
    group: 'Orders',
    description: 'The seller approves an order that awaits it. Then it is paid, or the install starts.',
    codes: ['wrong_state'],
  },
  reject_order: {
    group: 'Orders',
    description: 'The seller rejects an order that awaits approval, and its seat is free again.',
    codes: ['wrong_state'],
  },
  confirm_payment: {
    group: 'Orders',
    description:
      'The seller confirms that an order is paid, and the install starts. Only for the checkout `manual`: what another one takes, that one confirms.',
    codes: ['wrong_state', 'paid_elsewhere'],
  },
  receive_stripe_event: {
    group: 'Webhooks',
    description:
      'For Stripe alone: it authenticates by the signature over the bytes of the body and looks at no credential. Messages that concern no order are accepted and left alone. Where payments are not taken by Stripe there is no such route.',
    codes: ['unknown_route'],
  },
  list_installs: {
    group: 'Installs',
    description:
      'Newest first. `relation` chooses the side: `owned` by this workspace, or `sold` to others. A page may be shorter than `limit` and not be the last.',
  },
  get_install: { group: 'Installs', description: 'Both sides of an install may read it.' },
  create_install_credential: {
    group: 'Installs',
    description:
      'By an owner or admin of the workspace that owns the install, for the program that is installed. It takes the place of the one before at once. Nothing but `GET /installs/{id}/field_values` of this install can be called with it, and after the install was removed nothing.',
  },
  read_install_values: {
    group: 'Installs',
    description:
      'The only answer with the values of fields that hold a `format: password`: everywhere else `{"$sealed": true}` stands in their place. Sent with the install’s own credential in `Svc-Install-Credential`, and no other.',
  },
  remove_install: {
    group: 'Installs',
    description:
      'By the workspace that owns it. The record stays, with the time of the first call; calling again answers the same. The seat stays redeemed. From the reply on the install does not keep its cluster from being deleted.',
  },
} as const satisfies Record<string, Reference>
