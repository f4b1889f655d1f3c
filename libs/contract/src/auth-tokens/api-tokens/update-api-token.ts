import { apiToken, narrowedTo } from '../api-tokens.ts'
import { listedLaptop, narrowedLaptop } from '../workspaces-example-bodies.ts'
import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { change, nameText, pathId } from '../../core/text.ts'
import { absent, laptopToken } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Change the name, permissions or networks of an API token',
  http: { method: 'PATCH', path: '/api_tokens/{id}', status: 200 },
  access: workspaceAdmin,
  permission: 'api_tokens:write',
  params: z.object({ id: pathId }),
  body: change({
    name: nameText(100).optional().describe('A label of your choice. Omitted: it stays.'),
    permissions: narrowedTo.permissions
      .nullable()
      .optional()
      .describe(
        'What the token may do from now on, or a preset as in `POST`; null: all that a member may. Omitted: it stays.',
      ),
    allowed_addresses: narrowedTo.allowed_addresses
      .nullable()
      .optional()
      .describe('Networks that the token is accepted from; null: from anywhere. Omitted: it stays.'),
  }),
  output: apiToken,
  errors: ['NotFound'],
  stepUp: 'if it widens what the token may do, or from where',
  event: 'api_tokens.updated',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'tokens update',
    ids: { id: 'tok_…' },
    options: {
      permissions: {
        help: 'What it may do from now on: a permission, which may be repeated, or read, or ci.',
      },
      allowed_addresses: { help: 'A network that it is accepted from; may be repeated.' },
    },
    examples: [
      'tokens update tok_01h455vb4pex5vsknk084sn02q --permissions offers:read --permissions offers:write',
      'tokens update tok_01h455vb4pex5vsknk084sn02q --no-allowed-addresses',
    ],
  },
  page: '/tokens/:id/edit',
  group: 'API tokens',
  description:
    'The secret stays. What is taken away is refused everywhere as soon as this call returns; what is added works from then on. A list replaces the one before.',
  codes: ['permission_missing'],
  examples: [
    {
      step: 292,
      summary: 'Only offers, only from one network',
      by: 'owner',
      request: { params: { id: laptopToken.id }, body: narrowedLaptop },
      answer: { body: { ...listedLaptop, ...narrowedLaptop } },
    },
    {
      step: 296,
      name: 'widened',
      summary: 'All that a member may, from anywhere',
      by: 'owner',
      request: { params: { id: laptopToken.id }, body: { permissions: null, allowed_addresses: null } },
      answer: { body: listedLaptop },
    },
    {
      step: 297,
      summary: 'Unknown id',
      by: 'owner',
      request: { params: { id: absent('tok') }, body: { name: 'laptop' } },
      refusal: refusal('not_found', { path: ['id'] }),
    },
  ],
})
