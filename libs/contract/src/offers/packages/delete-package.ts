import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { inPath } from '../catalogue.ts'
import { analytics, product, spare, webOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Delete a package with its versions, unless a product or an offer refers to it',
  http: { method: 'DELETE', path: '/packages/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'catalogue:write',
  params: inPath,
  errors: ['NotFound', 'Conflict'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'packages delete',
  page: '/catalogue/packages/:id/delete',
  group: 'Packages',
  description:
    'Its versions are deleted with it. Refused while a product or an offer refers to it; `metadata` names one.',
  codes: ['in_use'],
  examples: [
    {
      step: 1430,
      summary: 'A product and an offer refer to it',
      by: 'owner',
      request: { params: { id: analytics } },
      refusal: refusal('in_use', {
        message: `It cannot be deleted: product ${product} and offer ${webOffer.id} refer to it.`,
        metadata: { product, offer: webOffer.id },
      }),
    },
    {
      step: 1500,
      summary: 'A package without products',
      by: 'owner',
      request: { params: { id: spare('pkg') } },
      answer: {},
    },
  ],
})
