/**
 * Notices by mail: their kinds, which of them a person wants, and how other services send them. docs/people/mail.md
 */
import * as z from 'zod'
import { forGateway, internal } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { anyText, pathId, text, unixSeconds } from '../core/text.ts'
import { productBacked } from '../offers/offer-input.ts'

const sellerMail = {
  order_placed: 'A customer has placed an order that needs nothing from you.',
  order_waits_for_approval: 'An order is waiting for approval.',
  order_waits_for_payment: 'An order is waiting for payment.',
  order_ends_soon: 'An order that is waiting for approval or payment expires in 30 minutes.',
  order_paid: 'An order has been paid.',
  order_refunded: 'A payment that arrived too late has been refunded.',
  seats_used_up: 'An offer is sold out.',
  subscription_past_due: 'A payment for an install is past due.',
  subscription_lapsed: 'A subscription has lapsed: its grace period passed without a payment.',
  subscription_ended: 'A subscription has ended.',
  subscription_disputed: 'A customer disputes a payment for an install.',
} as const

/**
 * To the person who ordered, or to the owners and admins of the workspace whose API token did. To all owners and admins about
 * subscriptions, which outlast memberships.
 */
const customerMail = {
  order_received: 'Your order is waiting for the seller’s approval.',
  order_rejected: 'Your order was rejected.',
  order_payment: 'How to pay for your order.',
  order_completed: 'Your order is complete.',
  order_expired: 'Your order has expired.',
  order_cancelled: 'Your order was cancelled.',
  your_payment_failed: 'The next payment for your install has failed, and how to pay.',
  your_subscription_ends_soon:
    'Your subscription, which the seller confirms, ends in 7 days, and again in 1 day.',
  your_subscription_lapsed: 'Your subscription has lapsed, and how to pay.',
  your_subscription_ended: 'Your subscription has ended.',
} as const

const ownerMail = {
  token_ends: 'An API token expires in 7 days, and again in 1 day.',
  member_joined: 'Someone has joined the workspace.',
} as const

/** A person may switch each kind off per workspace. The sentence says when it is sent. */
export const mailKinds = { ...sellerMail, ...customerMail, ...ownerMail }
export type MailKind = keyof typeof mailKinds

const namesOf = <K extends string>(kinds: Readonly<Record<K, string>>) => Object.keys(kinds) as [K, ...K[]]
export const mailKindNames = namesOf(mailKinds)
export const mailGroups = {
  seller: namesOf(sellerMail),
  customer: namesOf(customerMail),
  owner: namesOf(ownerMail),
} as const

export const on = (kind: MailKind) => z.boolean().describe(`Whether you get this email: ${mailKinds[kind]}`)
export const shapeOf = <T extends z.ZodType>(of: (kind: MailKind) => T) =>
  Object.fromEntries(mailKindNames.map(kind => [kind, of(kind)])) as Record<MailKind, T>

export const mailPreferences = z.object(shapeOf(on)).meta({ id: 'MailPreferences' })

const { unit_amount, currency, interval } = productBacked.shape.pricing_request.unwrap().shape

/** The content of a mail: never values of a form, nor the seller's notes. */
export const mailFacts = z.strictObject({
  event: z.string().optional().describe('A person gets one mail about it, the first that is asked for.'),
  order_id: z.string().optional(),
  offer_id: z.string().optional(),
  product: z.string().optional().describe('The name of the product or package.'),
  price: z.object({ unit_amount, currency, interval }).nullable().optional().describe('Null: free.'),
  is_test: z.boolean().optional().describe('Nothing is charged.'),
  customer: z.string().nullable().optional().describe('The address of who ordered; null: an API token did.'),
  seller: z.string().optional().describe('The workspace that sells.'),
  approved: z.boolean().optional().describe('The seller has just approved the order.'),
  reason: z.string().nullable().optional(),
  ends_at: unixSeconds.nullable().optional(),
  instructions: z.string().nullable().optional().describe('How the seller wants to be paid.'),
  next_steps: z.string().nullable().optional().describe('The instructions of the version, without values.'),
  reference: z.string().optional().describe('By which the seller knows the order and its payment.'),
  seats: z.int().min(0).max(10_000).optional(),
  member: z.string().optional().describe('The user who joined.'),
  install_id: z.string().optional().describe('That the subscription is of.'),
  paid_through: unixSeconds.nullable().optional(),
  grace_until: unixSeconds.nullable().optional(),
  cancel_at: unixSeconds.nullable().optional(),
  end_reason: z.string().nullable().optional(),
  days: z.int().max(60).optional().describe('In which what is paid ends.'),
})
export type MailFacts = z.infer<typeof mailFacts>

export const workspaceInPath = z.object({ id: pathId })
const unsubscribeToken = z.strictObject({ token: anyText(1, 1000) })
const unsubscribed = z.object({
  kind: z.enum(mailKindNames).nullable().describe('Null: the link is not valid.'),
  workspace_name: z.string().nullable(),
})

export const mailOperations = {
  request_mail: {
    summary: 'Tell people by mail what has happened, once for each key',
    access: internal,
    body: z.strictObject({
      mails: z
        .array(
          z.strictObject({
            key: text(1, 200),
            kind: z.enum(mailKindNames),
            workspace_id: z.string(),
            user_id: z
              .string()
              .nullable()
              .describe('The one member who gets it; null: owners, or owners and admins, by its kind.'),
            facts: mailFacts,
          }),
        )
        .max(50),
    }),
    errors: [],
    safe: true,
    narrows: false,
  },
  read_unsubscription: {
    summary: 'Read which mail a link switches off',
    access: forGateway,
    body: unsubscribeToken,
    output: unsubscribed,
    errors: [],
    safe: true,
  },
  unsubscribe: {
    summary: 'Switch off the mail that a link is for',
    access: forGateway,
    body: unsubscribeToken,
    output: unsubscribed,
    errors: [],
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
