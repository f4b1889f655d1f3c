import { createdApiToken, newSecretBody } from '../api-tokens.ts'
import { laptop } from '../workspaces-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId, unixSeconds } from '../../core/text.ts'
import { at, laptopToken, rotatedSecret } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Rotate the secret of an API token',
  http: { method: 'POST', path: '/api_tokens/{id}/rotate', status: 200 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  params: z.object({ id: pathId }),
  body: newSecretBody('the old secret'),
  output: createdApiToken
    .extend({
      previous_expires_at: unixSeconds
        .optional()
        .describe('When the old secret expires; absent: it has already expired.'),
    })
    .meta({ id: 'RotatedApiToken' }),
  errors: ['NotFound'],
  stepUp: true,
  event: 'api_tokens.rotated',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'tokens rotate',
    help: 'Create a new secret for an API token; it is shown only once.',
    options: {
      grace_seconds: { help: 'How long the old secret stays valid, such as 1h (default: not at all).' },
    },
    examples: ['tokens rotate tok_01h455vb4pex5vsknk084sn02q --grace 1h'],
  },
  page: '/tokens/:id/rotate',
  group: 'API tokens',
  description:
    'The token keeps its id, name and expiry. The old secret is refused as soon as this call returns, or stays valid for `grace_seconds`, at most a week. Any earlier secret is refused at once.',
  examples: [
    {
      step: 300,
      summary: 'The old secret stays valid for another hour',
      by: 'owner',
      request: { params: { id: laptopToken.id }, body: { grace_seconds: 3600 } },
      answer: { body: { ...laptop, token: rotatedSecret, previous_expires_at: at(600 + 3600) } },
    },
    {
      step: 330,
      summary: 'The token was revoked',
      by: 'owner',
      request: { params: { id: laptopToken.id } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
