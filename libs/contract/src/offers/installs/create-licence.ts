import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { theLicence } from '../licences-example-bodies.ts'
import { licence } from '../licences.ts'
import { absent, install } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Issue a licence for an install that the workspace owns or sold',
  http: { method: 'POST', path: '/installs/{id}/licence', status: 200 },
  access: workspaceMember,
  permission: 'installs:read',
  params: z.object({ id: pathId }),
  output: licence,
  errors: ['NotFound', 'Conflict'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'licences get',
    help: 'Print a new licence of an install.',
    examples: ['licences get inst_01h455vb4pex5vsknk084sn02q --json > licence.json'],
  },
  page: '/installs/:id/licence',
  group: 'Licences',
  description:
    'Both sides of an install can issue one. Nothing is stored, and earlier licences go on until they end. A subscription that has lapsed or ended, and a removed install, have no licence: `metadata` has the `state`.',
  codes: ['no_licence'],
  examples: [
    {
      step: 1062,
      summary: 'For a machine without a network',
      by: 'customer',
      request: { params: { id: install } },
      answer: { body: theLicence },
    },
    {
      step: 1063,
      summary: 'Id of another workspace',
      by: 'customer',
      request: { params: { id: absent('inst') } },
      refusal: refusal('not_found'),
    },
    {
      step: 1515,
      summary: 'The install was removed',
      by: 'customer',
      request: { params: { id: install } },
      refusal: refusal('no_licence', { metadata: { state: 'removed' } }),
    },
  ],
})
