import { ciTrust } from '../ci-trusts.ts'
import { shopTrust } from '../ci-trusts-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { absent } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read a CI trust',
  http: { method: 'GET', path: '/ci_trusts/{id}', status: 200 },
  access: workspaceAdmin,
  permission: 'api_tokens:read',
  params: z.object({ id: pathId }),
  output: ciTrust,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'ci-trusts get' },
  page: '/tokens/ci/:id/delete',
  group: 'CI trusts',
  description: 'Which runs it trusts, and what they may do.',
  examples: [
    {
      step: 334,
      summary: 'A trust',
      by: 'owner',
      request: { params: { id: shopTrust.id } },
      answer: { body: shopTrust },
    },
    {
      step: 335,
      summary: 'There is none with this id',
      by: 'owner',
      request: { params: { id: absent('trust') } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
