import { event, query } from '../activity-example-bodies.ts'
import { event as eventSchema, filters, pageOf } from '../event.ts'
import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List what happened in the workspace',
  http: { method: 'GET', path: '/events', status: 200 },
  access: workspaceMember,
  permission: 'events:read',
  query: filters,
  output: pageOf(eventSchema),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'events list',
    columns: ['created_at', 'type', 'aggregate_id', 'actor: actor.name || actor.id || actor.kind'],
  },
  page: '/activity',
  group: 'Events',
  description: `Newest first. An event is here within a second of its change, and stays for 400 days unless the operator chose otherwise. To follow what happens, ask with \`order=asc\` and then always with the \`next_cursor\` of the answer before: nothing is missed, and nothing comes twice.`,
  examples: [
    {
      step: 1360,
      summary: 'One type of event, of one object',
      by: 'script',
      request: { query },
      answer: { body: { data: [event], next_cursor: null } },
    },
  ],
})
