import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { inPath } from '../catalogue.ts'
import { channel, product, spare, webOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Delete a product, unless an offer channel or an offer refers to it',
  http: { method: 'DELETE', path: '/products/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'catalogue:write',
  params: inPath,
  errors: ['NotFound', 'Conflict'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'products delete',
  page: '/catalogue/products/:id/delete',
  group: 'Products',
  description: 'Refused while an offer channel or an offer refers to it; `metadata` names one.',
  codes: ['in_use'],
  examples: [
    {
      step: 1420,
      summary: 'A channel and an offer refer to it',
      by: 'owner',
      request: { params: { id: product } },
      refusal: refusal('in_use', {
        message: `It cannot be deleted: offer_channel ${channel} and offer ${webOffer.id} refer to it.`,
        metadata: { offer_channel: channel, offer: webOffer.id },
      }),
    },
    {
      step: 1490,
      summary: 'A product without offers',
      by: 'owner',
      request: { params: { id: spare('prod') } },
      answer: {},
    },
  ],
})
