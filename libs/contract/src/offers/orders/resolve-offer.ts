import { anybody } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { inputSchema } from '../catalogue-example-bodies.ts'
import { openTerms } from '../orders-example-bodies.ts'
import { offerSummary, offered, shortHash } from '../orders.ts'
import { byWeb, summary } from '../web-order-example-bodies.ts'
import { analytics, product, version1 } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Resolve an offer for the person who opens its link',
  http: { method: 'GET', path: '/i/{short_hash}', status: 200 },
  access: anybody,
  params: shortHash,
  output: z.object({
    name: z.string().describe('Of the product, or of the package of an offer without a product.'),
    sign_in_required: z.boolean().describe('Whether signing in could show more.'),
    summary: offerSummary
      .nullable()
      .describe('Null where the offer has an allowlist, unless the caller is entitled.'),
    offer: offered.nullable().describe('Null for callers who are not entitled.'),
  }),
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'offers resolve', own: true },
  page: '~/i/:short_hash',
  group: 'Orders',
  description:
    'What a customer sees who opens the link `/i/<short_hash>`. If the offer is open to any customer, everybody sees who sells, what it costs, until when, and how many seats are left. Of an offer with an allowlist, others see only the name. Entitled customers who are signed in also see notes and the form. Seller-only data (`internal_note`, `customer`) is never included.',
  examples: [
    {
      step: 730,
      name: 'entitled',
      summary: 'For an entitled customer',
      by: 'customer',
      request: byWeb,
      answer: {
        body: {
          name: 'Acme Analytics',
          sign_in_required: false,
          summary,
          offer: {
            state: 'active',
            seat_available: true,
            product: { id: product, name: 'Acme Analytics' },
            package: { id: analytics, name: 'Analytics' },
            package_version: { id: version1, version: '1.0.0' },
            notes: 'Welcome, Grace.',
            terms: openTerms,
            input_schema: inputSchema,
            field_values: { region: { value: 'eu', locked: true } },
            expires_at: null,
            order_ttl_minutes: 120,
          },
        },
      },
    },
    {
      step: 740,
      name: 'not_signed_in',
      summary: 'Without signing in, of an offer with an allowlist',
      by: 'nobody',
      request: byWeb,
      answer: { body: { name: 'Acme Analytics', sign_in_required: true, summary: null, offer: null } },
    },
    {
      step: 750,
      summary: 'An unknown link',
      by: 'nobody',
      request: { params: { short_hash: '111111111111' } },
      refusal: refusal('not_found'),
    },
  ],
})
