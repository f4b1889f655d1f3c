/** The operations of the service `activity`: what happened, who did it, and where it is sent. */
import * as z from 'zod'
import { workspaceAdmin, workspaceMember } from '../core/access.ts'
import { actor } from '../core/actor.ts'
import { service } from '../core/operation.ts'
import { quotaOperations } from '../core/quotas.ts'
import { sealingOperations } from '../core/sealing.ts'
import { idOf, pageQuery, pathId, queryInteger, querySeconds, unixSeconds } from '../core/text.ts'
import { webhookOperations } from './webhooks.ts'

/** As of whatever has events: an order, a person, a program. */
const anyId = z
  .string()
  .regex(/^[ -~]{1,200}$/, 'must be an id')
  .optional()

const eventType = '[a-z_]{1,50}\\.[a-z_]{1,50}'

const filters = pageQuery.extend({
  type: z
    .string()
    .regex(new RegExp(`^${eventType}$`), 'must be a type of event, such as orders.completed')
    .optional()
    .describe('Only events of this type.'),
  aggregate: anyId.describe('Only events of the object with this id.'),
  actor: anyId.describe('Only what the person, token, agent or program with this id did.'),
  after: querySeconds.describe('Only events of this second or later.'),
  before: querySeconds.describe('Only events before this second.'),
  order: z
    .enum(['desc', 'asc'])
    .default('desc')
    .describe(
      '`desc`: newest first. `asc`: oldest first, and `next_cursor` is never null: at the end it is where later events begin.',
    ),
})

const event = z
  .object({
    id: idOf('event', 'evt'),
    type: z.string().describe('What happened, such as `orders.completed`.'),
    aggregate_id: z.string().describe('The id of what the event is about, such as an order.'),
    sequence: z.int().describe('Grows from event to event of one aggregate, with gaps.'),
    created_at: unixSeconds.describe('When it happened, in Unix seconds.'),
    actor: actor
      .nullable()
      .describe('Who did it. Of the other side of an order, only `kind` and `workspace_id`.'),
    request_id: z
      .string()
      .nullable()
      .describe('The `Svc-Request-Id` of the request that caused it; null: none did.'),
    changes: z
      .record(
        z.string(),
        z.object({
          before: z.unknown().describe('The value until then.'),
          after: z.unknown().describe('The value from then on.'),
        }),
      )
      .nullable()
      .describe('By name, the fields that changed; null: the event is not about a change of fields.'),
    data: z.record(z.string(), z.unknown()).describe('As the guide to events lists it for the type.'),
  })
  .meta({ id: 'Event' })

const auditEvent = event
  .extend({
    address: z
      .string()
      .nullable()
      .describe('The IP address from which the request came; null: unknown, or no request.'),
    cursor: z.string().describe('As `cursor` of a request: what comes after this event.'),
  })
  .meta({ id: 'AuditEvent' })

const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item).describe('The events of this page, in the order asked for; at most `limit`.'),
    next_cursor: z
      .string()
      .nullable()
      .describe('To be sent as `cursor` for the next page; null: newest first, and this is the last.'),
  })

const countedEvents = z.strictObject({
  types: z
    .string()
    .regex(
      new RegExp(`^${eventType}(,${eventType}){0,4}$`),
      'must be 1 to 5 types of events, separated by commas, such as orders.created,orders.completed',
    )
    .transform(types => types.split(','))
    .describe('The types to count, 1 to 5 of them, separated by commas.'),
  days: queryInteger(1, 90, 30).describe('How many days, of which the last one is today.'),
})

export const activity = service('activity', {
  list_events: {
    summary: 'List what happened in the workspace',
    http: { method: 'GET', path: '/events', status: 200 },
    access: workspaceMember,
    query: filters,
    output: pageOf(event),
    errors: [],
    safe: true,
  },
  get_event: {
    summary: 'Read an event',
    http: { method: 'GET', path: '/events/{id}', status: 200 },
    access: workspaceMember,
    params: z.object({ id: pathId }),
    output: event,
    errors: ['NotFound'],
    safe: true,
  },
  count_events: {
    summary: 'Count what happened in the workspace, by day',
    http: { method: 'GET', path: '/event_counts', status: 200 },
    access: workspaceMember,
    query: countedEvents,
    output: z.object({
      data: z
        .array(
          z.object({
            date: z.iso.date().describe('The day in UTC, such as `2026-11-24`.'),
            counts: z
              .record(z.string(), z.int())
              .describe('By type, how many events there were; every type that was asked for is here.'),
          }),
        )
        .describe('One item for each day, oldest first; the last one is today.'),
    }),
    errors: [],
    safe: true,
  },
  list_audit_log: {
    summary: 'List what happened, from where and with which credential; for owners and admins',
    http: { method: 'GET', path: '/audit_log', status: 200 },
    access: workspaceAdmin,
    query: filters.extend({
      credential: anyId.describe('Only what was done with the session or API token with this id.'),
    }),
    output: pageOf(auditEvent),
    lines: true,
    errors: [],
    safe: true,
  },
  ...webhookOperations,
  ...sealingOperations,
  ...quotaOperations,
})
