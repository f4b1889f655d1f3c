/** What the OpenAPI document says of events and the audit log. */
import type { Reference } from '../openapi/operation-reference.ts'
import { webhooksReference } from './webhooks-reference.ts'

const kept =
  'An event is here within a second of its change, and stays for 400 days unless the operator chose otherwise.'

export const activityReference = {
  ...webhooksReference,
  list_events: {
    command: {
      name: 'events list',
      columns: ['created_at', 'type', 'aggregate_id', 'actor: actor.name || actor.id || actor.kind'],
    },
    page: '/activity',
    group: 'Events',
    description: `Newest first. ${kept} To follow what happens, ask with \`order=asc\` and then always with the \`next_cursor\` of the answer before: nothing is missed, and nothing comes twice.`,
  },
  get_event: {
    command: 'events get',
    page: '/activity/:id',
    group: 'Events',
    description: 'Events of an order can be read by both of its sides.',
  },
  count_events: {
    command: { name: 'events count', own: true },
    page: '',
    group: 'Events',
    description:
      'For charts. Counts the events that `GET /events` lists, so neither sign-ins nor what else is in the audit log alone. Days are days in UTC; one without events has zeros.',
  },
  list_audit_log: {
    command: { name: 'audit', own: true },
    page: '/activity/audit-log',
    group: 'Events',
    description:
      'The same events with addresses. With `Accept: application/x-ndjson` the answer has one event on each line, oldest first, up to the end or to `before`; whoever is cut off continues with the `cursor` of the last whole line.',
  },
} as const satisfies Record<string, Reference>
