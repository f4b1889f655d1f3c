import { shopTrust } from '../ci-trusts-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Delete a CI trust; its tokens end',
  http: { method: 'DELETE', path: '/ci_trusts/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  params: z.object({ id: pathId }),
  errors: ['NotFound'],
  event: 'ci_trusts.deleted',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'ci-trusts delete', ids: { id: 'trust_…' } },
  page: '/tokens/ci/:id/delete',
  group: 'CI trusts',
  description:
    'No run gets a token by it any more, and the tokens that runs got are refused everywhere as soon as this call returns.',
  examples: [
    {
      step: 337,
      summary: 'A job that moved',
      by: 'owner',
      request: { params: { id: shopTrust.id } },
      answer: {},
    },
    {
      step: 338,
      summary: 'Already deleted',
      by: 'owner',
      request: { params: { id: shopTrust.id } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
