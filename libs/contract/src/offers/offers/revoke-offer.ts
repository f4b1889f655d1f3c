import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { details, summary } from '../offers-example-bodies.ts'
import { inPath, offer } from '../published-offers.ts'
import { at, etags, versionOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Revoke an offer; revoking it again changes nothing',
  http: { method: 'POST', path: '/offers/{id}/revoke', status: 200 },
  access: workspaceMember,
  permission: 'offers:write',
  params: inPath,
  output: offer,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'offers revoke', own: true },
  page: '/offers/:id/revoke',
  group: 'Offers',
  description:
    'No more seats can be taken once this call returns, and orders in progress are cancelled. Installs stay. Revoking an offer again changes nothing and returns it.',
  examples: [
    {
      step: 720,
      summary: 'The offer is revoked',
      by: 'script',
      request: { params: { id: versionOffer.id } },
      answer: {
        body: {
          ...summary,
          ...details,
          ...versionOffer,
          name: 'Analytics',
          etag: etags.offerOfVersion,
          state: 'revoked',
          product_id: null,
          customer: null,
          internal_note: null,
          notes: null,
          allowed_emails: [],
          field_values: {},
          seats: { max_uses: null, redeemed: 0, reserved: 0, available: null },
          revoked_at: at(2600),
          warnings: [],
        },
      },
    },
  ],
})
