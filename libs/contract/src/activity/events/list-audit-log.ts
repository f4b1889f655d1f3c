import { event, query } from '../activity-example-bodies.ts'
import { anyId, auditEvent, filters, pageOf } from '../event.ts'
import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List what happened, from where and with which credential; for owners and admins',
  http: { method: 'GET', path: '/audit_log', status: 200 },
  access: workspaceAdmin,
  permission: 'audit_log:read',
  query: filters.extend({
    credential: anyId.describe('Only what was done with the session or API token with this id.'),
  }),
  output: pageOf(auditEvent),
  lines: 'application/x-ndjson',
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'audit', own: true },
  page: '/activity/audit-log',
  group: 'Events',
  description:
    'The same events with addresses. With `Accept: application/x-ndjson` the answer has one event on each line, oldest first, up to the end or to `before`; whoever is cut off continues with the `cursor` of the last whole line.',
  examples: [
    {
      step: 1400,
      summary: 'With addresses',
      by: 'owner',
      request: { query },
      answer: {
        body: { data: [{ ...event, address: '198.51.100.7', cursor: 'cDQ3MTE' }], next_cursor: null },
      },
    },
  ],
})
