import { createdApiToken, narrowedTo } from '../api-tokens.ts'
import { deploy, laptop } from '../workspaces-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { entryOf, envelopeError } from '../../core/errors.ts'
import { idempotencyHeaders } from '../../core/idempotency.ts'
import type { Operation } from '../../core/operation.ts'
import { roleTooLow } from '../../core/refuse-caller.ts'
import { nameText, unixSeconds } from '../../core/text.ts'
import { deployToken, laptopToken, nextCentury } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create a workspace API token',
  http: { method: 'POST', path: '/api_tokens', status: 201 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  headers: idempotencyHeaders,
  body: z.strictObject({
    name: nameText(100).describe('A label of your choice.'),
    expires_at: unixSeconds
      .optional()
      .describe(
        'Unix seconds; omitted: the token does not expire. A session with a time limit needs one within it.',
      ),
    permissions: narrowedTo.permissions.optional(),
    allowed_addresses: narrowedTo.allowed_addresses.optional(),
    ends_with_creator: z
      .boolean()
      .optional()
      .describe('Whether the token ends when you are no longer a member of the workspace; omitted: false.'),
  }),
  output: createdApiToken,
  errors: ['Conflict', 'Unprocessable'],
  stepUp: true,
  event: 'api_tokens.created',
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'tokens create',
    help: 'Create an API token; its secret is shown only once.',
    options: {
      expires_at: { help: 'When it expires (default: never).' },
      permissions: { help: 'What it may do: a permission, which may be repeated, or read, or ci.' },
      allowed_addresses: { help: 'A network that it is accepted from; may be repeated (default: anywhere).' },
      ends_with_creator: { help: 'Revoke it when you leave the workspace or are removed.' },
    },
    examples: [
      'tokens create --name ci --expires-at 90d',
      'tokens create --name deploy --expires-at 2999-12-31 --json',
      'tokens create --name laptop --ends-with-creator',
      'tokens create --name ci --permissions ci --allowed-addresses 203.0.113.0/24',
    ],
  },
  page: '/tokens/new',
  group: 'API tokens',
  description:
    'The secret is returned here and nowhere else. The token acts in this workspace only, as a `member`. It remains valid when its creator leaves, unless `ends_with_creator` is true: then it is refused as soon as the membership ends, even if the person rejoins later. A repetition with the same `Idempotency-Key` is refused: `metadata.id` names the token.',
  codes: ['key_reused', 'already_created', 'time_in_past', 'quota_exceeded'],
  examples: [
    {
      step: 240,
      summary: 'A token that expires',
      by: 'owner',
      request: { body: { name: 'deploy', expires_at: nextCentury } },
      answer: { body: { ...deploy, token: deployToken.token, expires_at: nextCentury } },
    },
    {
      step: 250,
      name: 'lasting',
      summary: 'A token without expiry that ends with its creator',
      by: 'owner',
      request: { body: { name: 'laptop', ends_with_creator: true } },
      answer: { body: { ...laptop, token: laptopToken.token } },
    },
    {
      step: 260,
      summary: 'An API token cannot create tokens',
      by: 'script',
      request: { body: { name: 'another' } },
      refusal: roleTooLow(['owner', 'admin'], 'member'),
    },
    {
      step: 270,
      summary: 'Two things are wrong',
      by: 'owner',
      request: { body: { name: '', expires: nextCentury } },
      refusal: envelopeError('Validation', [
        entryOf('invalid_body', { path: ['name'], message: 'name must have at least 1 character.' }),
        entryOf('invalid_body', {
          path: ['expires'],
          message: 'expires is not accepted here: did you mean expires_at?',
        }),
      ]),
    },
  ],
})
