/** What the OpenAPI document says of orders, webhooks. */
import type { Reference } from '../openapi/operation-reference.ts'

export const ordersReference = {
  resolve_offer: {
    command: { name: 'offers resolve', own: true },
    page: '~/i/:short_hash',
    group: 'Orders',
    description:
      'What a customer sees who opens the link `/i/<short_hash>`. If the offer is open to any customer, everybody sees who sells, what it costs, until when, and how many seats are left. Of an offer with an allowlist, others see only the name. Entitled customers who are signed in also see notes and the form. Seller-only data (`internal_note`, `customer`) is never included.',
  },
  create_order: {
    command: {
      name: 'orders create',
      help: 'Order from an offer; again, it shows the order in progress.',
      examples: ['orders create 7Kq2mXc9TzWf'],
    },
    page: '~/i/:short_hash',
    group: 'Orders',
    description:
      'Takes a seat for `order_ttl_minutes`; an order that ends without an install releases it. Seats are exact: never oversold, and never refused while one is left.\n\nA person can have one order per offer in progress, whichever of their workspaces it is for. API tokens of workspaces other than the seller’s can order only if the seller set `allow_api_tokens`.\n\n**Idempotency.** If an order from this offer is already in progress for this workspace, that one is returned, with `Idempotent-Replayed: true`.',
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
    command: {
      name: 'orders list',
      options: { relation: { help: 'Placed or received by the workspace.' } },
      examples: ['orders list --relation received --state awaiting_approval'],
      columns: [
        'id',
        'reference',
        'state',
        'offer_id',
        'ordered_by: ordered_by.email || ordered_by.id',
        'expires_at',
      ],
    },
    page: '/orders',
    group: 'Orders',
    description:
      'Newest first. `relation` chooses the side: `placed` by this workspace, or `received` from customers. A page may be shorter than `limit` without being the last.',
  },
  get_order: {
    command: 'orders get',
    page: '~/orders/:id',
    group: 'Orders',
    description: 'Both sides of an order can read it.',
  },
  submit_order: {
    command: { name: 'orders submit', own: true },
    page: '~/i/:short_hash',
    group: 'Orders',
    description:
      'Submits the order with its field values; only the person or token that placed it can. Locked values of the offer override those sent; together they must satisfy the input schema of the package version. Approval and checkout follow as the terms require; without either, the install starts at once.',
    codes: ['not_entitled', 'wrong_state', 'unknown_reference', 'invalid_field_value'],
  },
  cancel_order: {
    command: 'orders cancel',
    page: '~/orders/:id/cancel',
    group: 'Orders',
    description:
      'Cancels an order in progress, by the workspace that placed it or by the seller’s, and releases its seat. Payments that arrive for a cancelled order are refunded.',
    codes: ['wrong_state'],
  },
  begin_checkout: {
    command: { name: 'orders checkout', own: true },
    page: '~/i/:short_hash',
    group: 'Orders',
    description:
      'Starts the payment of an order that awaits checkout. `url` is where to pay; with `manual` there is none, and the seller confirms the payment. Repeating the call returns the payment in progress.',
    codes: ['wrong_state'],
  },
  approve_order: {
    command: 'orders approve',
    page: '/orders/:id/approve',
    group: 'Orders',
    description:
      'The seller approves an order that awaits approval. Then it awaits payment, or the install starts.',
    codes: ['wrong_state'],
  },
  reject_order: {
    command: {
      name: 'orders reject',
      options: { reason: { help: 'Shown to the customer.' } },
      examples: ["orders reject order_01h455vb4pex5vsknk084sn02q --reason 'Sold out.'"],
    },
    page: '/orders/:id/reject',
    group: 'Orders',
    description: 'The seller rejects an order that awaits approval, and its seat is released.',
    codes: ['wrong_state'],
  },
  confirm_payment: {
    command: 'orders confirm-payment',
    page: '/orders/:id/confirm-payment',
    group: 'Orders',
    description:
      'The seller confirms that an order is paid, and the install starts. Only for the checkout `manual`: other checkouts confirm their payments themselves.',
    codes: ['wrong_state', 'paid_elsewhere'],
  },
  receive_stripe_event: {
    command: { reason: 'Stripe calls it, with its signature.' },
    page: { reason: 'Stripe calls it, with its signature.' },
    group: 'Webhooks',
    description:
      'For Stripe only: authenticated by the signature over the bytes of the body; credentials are ignored. Events that concern no order are accepted and ignored. The route does not exist if payments are not taken by Stripe.',
    codes: ['unknown_route'],
  },
} as const satisfies Record<string, Reference>
