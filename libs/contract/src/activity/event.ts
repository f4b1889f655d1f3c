import * as z from 'zod'
import { actor } from '../core/actor.ts'
import { idOf, pageQuery, queryInteger, querySeconds, unixSeconds } from '../core/text.ts'

export const anyId = z
  .string()
  .regex(/^[ -~]{1,200}$/, 'must be an id')
  .optional()

const eventType = '[a-z_]{1,50}\\.[a-z_]{1,50}'

export const filters = pageQuery.extend({
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

export const event = z
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

export const auditEvent = event
  .extend({
    address: z
      .string()
      .nullable()
      .describe('The IP address from which the request came; null: unknown, or no request.'),
    cursor: z.string().describe('As `cursor` of a request: what comes after this event.'),
  })
  .meta({ id: 'AuditEvent' })

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z
      .array(item)
      .describe(
        'The events of this page, in the order asked for: at most `limit`, and fewer, even none, where few of 5,000 match.',
      ),
    next_cursor: z
      .string()
      .nullable()
      .describe('To be sent as `cursor` for the next page; null: newest first, and this is the last.'),
  })

export const countedEvents = z.strictObject({
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
