import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { details, summary } from '../offers-example-bodies.ts'
import { inPath, offer } from '../published-offers.ts'
import { absent, etags, webOffer } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Read an offer: requested terms, resolved terms and state',
  http: { method: 'GET', path: '/offers/{id}', status: 200 },
  access: workspaceMember,
  permission: 'offers:read',
  params: inPath,
  output: offer,
  replyHeaders: ['ETag'],
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'offers get', own: true },
  page: '/offers/:id',
  group: 'Offers',
  description:
    'For the seller: requested terms, resolved terms, how many seats are taken, and `warnings` where its orders may come to nothing.',
  examples: [
    {
      step: 700,
      summary: 'An unused offer',
      by: 'script',
      request: { params: { id: webOffer.id } },
      answer: { headers: { ETag: `"${etags.offer}"` }, body: { ...summary, ...details, warnings: [] } },
    },
    {
      step: 710,
      summary: 'Id of another workspace',
      by: 'script',
      request: { params: { id: absent('offer') } },
      refusal: refusal('not_found'),
    },
  ],
})
