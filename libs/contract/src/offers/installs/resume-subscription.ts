import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { thePaidInstall } from '../installs-example-bodies.ts'
import { install as installSchema } from '../installs.ts'
import { install, secondInstall } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Withdraw the cancellation of a subscription',
  http: { method: 'POST', path: '/installs/{id}/resume_subscription', status: 200 },
  access: workspaceAdmin,
  permission: 'installs:write',
  params: z.object({ id: pathId }),
  output: installSchema,
  errors: ['NotFound', 'Conflict'],
  event: 'subscriptions.cancel_withdrawn',
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'installs resume-subscription',
  page: '/installs/:id/resume-subscription',
  group: 'Installs',
  description:
    'Either side can withdraw a cancellation until `cancel_at`. Where none is planned, nothing changes.',
  codes: ['no_subscription', 'wrong_state'],
  examples: [
    {
      step: 934,
      summary: 'It goes on',
      by: 'customer',
      request: { params: { id: secondInstall } },
      answer: { body: thePaidInstall },
    },
    {
      step: 1036,
      summary: 'Nothing is paid',
      by: 'customer',
      request: { params: { id: install } },
      refusal: refusal('no_subscription'),
    },
  ],
})
