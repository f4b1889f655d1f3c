import * as z from 'zod'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { laptopToken } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'End the secret that a rotation left valid',
  http: { method: 'DELETE', path: '/api_tokens/{id}/previous_secret', status: 204 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  params: z.object({ id: pathId }),
  errors: ['NotFound'],
  event: 'api_tokens.previous_secret_ended',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'tokens end-previous',
    ids: { id: 'tok_…' },
    done: 'Ended the previous secret of {id}.',
  },
  page: '/tokens/:id/end-previous',
  group: 'API tokens',
  description:
    'Ends the grace period of the last rotation: the old secret is refused everywhere as soon as this call returns. 404 if it has ended already.',
  examples: [
    {
      step: 304,
      summary: 'Everything uses the new secret',
      by: 'owner',
      request: { params: { id: laptopToken.id } },
      answer: {},
    },
    {
      step: 306,
      summary: 'It has ended',
      by: 'owner',
      request: { params: { id: laptopToken.id } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
