import { personOfPath } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { exampleKey, firstKeys } from '../licences-example-bodies.ts'
import { licenceKeys as output } from '../licences.ts'
import { acme, licenceKeys } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Sign further licences of the workspace with a new key',
  http: { method: 'POST', path: '/workspaces/{id}/licence_keys/rotate', status: 200 },
  access: { ...personOfPath, roles: ['owner'] },
  permission: 'workspace:write',
  params: z.object({ id: pathId }),
  output,
  errors: ['Unprocessable'],
  stepUp: true,
  event: 'licence_keys.rotated',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'licences rotate-key',
    help: 'Sign further licences with a new key.',
    examples: ['licences rotate-key'],
  },
  page: '/settings/licence-keys/rotate',
  group: 'Licences',
  description:
    'The new key signs at once: programs with a copy of the keys need the new ones for licences that are issued from now on. The earlier key stays published for 400 days, and its private part is deleted. A workspace has at most 20 published keys.',
  codes: ['quota_exceeded'],
  examples: [
    {
      step: 1068,
      summary: 'A new key',
      by: 'owner',
      request: { params: { id: acme } },
      answer: { body: { keys: [exampleKey(licenceKeys.second), ...firstKeys.keys] } },
    },
  ],
})
