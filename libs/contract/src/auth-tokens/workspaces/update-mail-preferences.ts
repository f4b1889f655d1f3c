import { mailPreferences, on, shapeOf, workspaceInPath } from '../mail.ts'
import { inAcme, withoutPlaced } from '../workspaces-example-bodies.ts'
import { personOfPath } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Choose which emails you receive about a workspace',
  http: { method: 'PATCH', path: '/workspaces/{id}/mail_preferences', status: 200 },
  access: personOfPath,
  permission: 'workspace:write',
  params: workspaceInPath,
  body: z.strictObject(shapeOf(kind => on(kind).optional())),
  output: mailPreferences,
  errors: [],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'mail off', own: true },
  page: '~/mail',
  group: 'Workspaces',
  description:
    'For the caller and this workspace alone. Kinds that are left out stay as they are. Safe to repeat.',
  examples: [
    {
      step: 180,
      summary: 'No email for each order placed',
      by: 'owner',
      request: { ...inAcme, body: { order_placed: false } },
      answer: { body: withoutPlaced },
    },
  ],
})
