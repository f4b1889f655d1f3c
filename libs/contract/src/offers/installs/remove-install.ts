import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { theInstall } from '../installs-example-bodies.ts'
import { install as installSchema } from '../installs.ts'
import { at, install } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Report that an install of the workspace was removed, so that its cluster can be deleted',
  http: { method: 'POST', path: '/installs/{id}/remove', status: 200 },
  access: workspaceMember,
  permission: 'installs:write',
  params: z.object({ id: pathId }),
  body: z
    .strictObject({
      keep_subscription: z
        .boolean()
        .optional()
        .describe('True: what is paid for it goes on. Otherwise it ends with its period.'),
    })
    .default({}),
  output: installSchema,
  errors: ['NotFound'],
  event: 'installs.removed',
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'installs remove',
  page: '/installs/:id/remove',
  group: 'Installs',
  description:
    'Called by the workspace that owns it. The record stays, with the time of the first call; calling again returns the same. Its subscription is cancelled at the end of the period, unless `keep_subscription`. The seat stays redeemed. Once this call returns, the install no longer prevents its cluster from being deleted.',
  examples: [
    {
      step: 1510,
      summary: 'Already deleted',
      by: 'customer',
      request: { params: { id: install } },
      answer: { body: { ...theInstall, state: 'removed', removed_at: at(7200) } },
    },
    {
      step: 1520,
      summary: 'Called by the seller',
      by: 'script',
      request: { params: { id: install } },
      refusal: refusal('not_found'),
    },
  ],
})
