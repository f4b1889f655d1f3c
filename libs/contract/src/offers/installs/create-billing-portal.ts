import { workspaceAdmin } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { absent, install } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Open Stripe’s page on which the customer changes the payment method of an install',
  http: { method: 'POST', path: '/installs/{id}/billing_portal', status: 200 },
  access: workspaceAdmin,
  permission: 'installs:write',
  params: z.object({ id: pathId }),
  output: z.object({ url: z.string().describe('A page of Stripe, for minutes only.') }),
  errors: ['NotFound', 'Conflict', 'Unavailable'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'installs billing-portal',
  page: '/installs/:id/billing-portal',
  group: 'Installs',
  description:
    'For owners and admins of the workspace that owns the install. There they change the payment method, see invoices, and cancel at the end of the period; plan and quantity stay as the terms have them. Only for the provider `stripe`.',
  codes: ['no_subscription', 'paid_elsewhere'],
  examples: [
    {
      step: 1038,
      summary: 'Nothing is paid',
      by: 'customer',
      request: { params: { id: install } },
      refusal: refusal('no_subscription'),
    },
    {
      step: 1039,
      summary: 'Id of another workspace',
      by: 'customer',
      request: { params: { id: absent('inst') } },
      refusal: refusal('not_found'),
    },
  ],
})
