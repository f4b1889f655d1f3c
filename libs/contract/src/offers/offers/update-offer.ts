import * as z from 'zod'
import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import { ifMatch } from '../../core/if-match.ts'
import type { Operation } from '../../core/operation.ts'
import { productBacked } from '../offer-input.ts'
import { details, summary } from '../offers-example-bodies.ts'
import { inPath, offer } from '../published-offers.ts'
import { at, etags, webOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

const { allowed_emails, customer, internal_note, notes, expires_at, max_uses } = productBacked.shape

export const operation = {
  summary: 'Correct an offer',
  http: { method: 'PATCH', path: '/offers/{id}', status: 200 },
  access: workspaceMember,
  permission: 'offers:write',
  params: inPath,
  headers: z.object({ 'if-match': ifMatch('offer') }),
  body: z
    .strictObject({
      allowed_emails: allowed_emails
        .unwrap()
        .optional()
        .describe('Who may use the offer from now on; empty: any authenticated customer.'),
      customer: customer.unwrap().nullable().optional().describe('Whom the offer is meant for; null: none.'),
      internal_note: internal_note
        .unwrap()
        .nullable()
        .optional()
        .describe('For your own workspace; null: none.'),
      notes: notes.unwrap().nullable().optional().describe('Shown to customers; null: none.'),
      expires_at: expires_at
        .unwrap()
        .nullable()
        .optional()
        .describe('Unix seconds after which the offer cannot be redeemed; null: it does not expire.'),
      max_uses: max_uses
        .unwrap()
        .optional()
        .describe(
          'How many orders may be completed, at least those redeemed and in progress; null: unlimited.',
        ),
    })
    .refine(body => Object.keys(body).length > 0, 'must have at least one property')
    .meta({ minProperties: 1 }),
  output: offer,
  replyHeaders: ['ETag'],
  errors: ['NotFound', 'Conflict', 'Unprocessable'],
} as const satisfies Operation

const corrected = { internal_note: 'Met at the fair; pays by invoice.' }
const inOffer = { params: { id: webOffer.id }, headers: { 'if-match': etags.offer } }

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'offers update',
    etagOf: 'get_offer',
    options: {
      'customer.display_name': { name: 'customer-name' },
      'customer.external_id': { name: 'customer-id' },
      max_uses: { help: 'Redemptions.', none: 'unlimited' },
      allowed_emails: { name: 'allow-email', help: 'Who may use it; may be repeated.' },
    },
    examples: ['offers update offer_01h455vb4pex5vsknk084sn02q --expires-at 30d --max-uses 20'],
  },
  page: '/offers/:id/edit',
  group: 'Offers',
  description:
    'Changes the fields that are sent and leaves the rest; at least one is required. Terms, package version and field values never change: create another offer for those. An expired or exhausted offer can be used again once it has more time or uses, and orders in progress go on. A revoked offer stays as it is.\n\n**Concurrency.** `If-Match` carries the etag of the latest read. If someone else has corrected the offer in the meantime, nothing is changed and the response is 409 with `current_etag`. Orders do not change the etag. Repeating a correction that was applied returns 200.',
  codes: ['offer_changed', 'offer_revoked', 'time_in_past', 'uses_taken'],
  examples: [
    {
      step: 712,
      summary: 'Another note',
      by: 'script',
      request: { ...inOffer, body: corrected },
      answer: {
        headers: { ETag: `"${etags.correctedOffer}"` },
        body: {
          ...summary,
          ...details,
          ...corrected,
          etag: etags.correctedOffer,
          warnings: [],
        },
      },
    },
    {
      step: 714,
      summary: 'Someone else was faster: read the offer and decide again',
      by: 'script',
      request: { ...inOffer, body: { notes: 'Welcome back.' } },
      refusal: refusal('offer_changed', { metadata: { current_etag: etags.correctedOffer } }),
    },
    {
      step: 716,
      summary: 'A time that has passed',
      by: 'script',
      request: {
        ...inOffer,
        headers: { 'if-match': etags.correctedOffer },
        body: { expires_at: at() - 86_400_000 },
      },
      refusal: refusal('time_in_past', {
        path: ['expires_at'],
        message: 'expires_at must be in the future.',
      }),
    },
  ],
})
