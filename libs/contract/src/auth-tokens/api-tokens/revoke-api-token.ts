import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { laptopToken } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Revoke an API token',
  http: { method: 'DELETE', path: '/api_tokens/{id}', status: 204 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  params: z.object({ id: pathId }),
  errors: ['NotFound'],
  event: 'api_tokens.revoked',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'tokens revoke',
    help: 'Revoke an API token; it is refused from then on.',
    ids: { id: 'tok_…' },
  },
  page: '/tokens/:id/revoke',
  group: 'API tokens',
  description:
    'The token is deleted, and refused everywhere as soon as this call returns. It cannot be recovered: a second call returns 404.',
  examples: [
    {
      step: 310,
      summary: 'A lost token',
      by: 'owner',
      request: { params: { id: laptopToken.id } },
      answer: {},
    },
    {
      step: 320,
      summary: 'Already revoked',
      by: 'owner',
      request: { params: { id: laptopToken.id } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
