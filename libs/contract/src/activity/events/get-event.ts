import { event } from '../activity-example-bodies.ts'
import { event as eventSchema } from '../event.ts'
import { workspaceMember } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { absent } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read an event',
  http: { method: 'GET', path: '/events/{id}', status: 200 },
  access: workspaceMember,
  permission: 'events:read',
  params: z.object({ id: pathId }),
  output: eventSchema,
  errors: ['NotFound'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'events get',
  page: '/activity/:id',
  group: 'Events',
  description: 'Events of an order can be read by both of its sides.',
  examples: [
    {
      step: 1370,
      summary: 'Read',
      by: 'script',
      request: { params: { id: event.id } },
      answer: { body: event },
    },
    {
      step: 1380,
      summary: 'Id of another workspace',
      by: 'script',
      request: { params: { id: absent('evt') } },
      refusal: refusal('not_found'),
    },
  ],
})
