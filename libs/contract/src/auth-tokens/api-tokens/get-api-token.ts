import { apiTokenWithUse } from '../api-tokens.ts'
import { listedLaptop, narrowedLaptop } from '../workspaces-example-bodies.ts'
import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { absent, laptopToken } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read an API token, and which of its permissions it uses',
  http: { method: 'GET', path: '/api_tokens/{id}', status: 200 },
  access: workspaceMember,
  permission: 'api_tokens:read',
  params: z.object({ id: pathId }),
  output: apiTokenWithUse,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'tokens get', ids: { id: 'tok_…' } },
  page: '/tokens/:id',
  group: 'API tokens',
  description:
    'As in the list, without its secret. Owners and admins also see what it did in the last 30 days, and so what it does not need: `PATCH` it to `used_permissions`.',
  examples: [
    {
      step: 294,
      summary: 'A token that was not used yet',
      by: 'owner',
      request: { params: { id: laptopToken.id } },
      answer: {
        body: {
          ...listedLaptop,
          ...narrowedLaptop,
          used_permissions: [],
          unused_permissions: narrowedLaptop.permissions,
          observed_since: null,
        },
      },
    },
    {
      step: 295,
      summary: 'Unknown id',
      by: 'owner',
      request: { params: { id: absent('tok') } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
