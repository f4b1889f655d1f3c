import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { theInstall, theInstructions } from '../installs-example-bodies.ts'
import { installWithInstructions } from '../installs.ts'
import { absent, install } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read an install that the workspace owns or sold',
  http: { method: 'GET', path: '/installs/{id}', status: 200 },
  access: workspaceMember,
  permission: 'installs:read',
  params: z.object({ id: pathId }),
  output: installWithInstructions,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'installs get',
  page: '/installs/:id',
  group: 'Installs',
  description:
    'Both sides of an install can read it. `instructions` say what to do once the order has completed.',
  examples: [
    {
      step: 1020,
      summary: 'As seen by its owner',
      by: 'customer',
      request: { params: { id: install } },
      answer: { body: { ...theInstall, instructions: theInstructions } },
    },
    {
      step: 1030,
      summary: 'Id of another workspace',
      by: 'customer',
      request: { params: { id: absent('inst') } },
      refusal: refusal('not_found'),
    },
  ],
})
