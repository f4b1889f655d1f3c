/** How `activity` reads the outbox of each service that publishes events. docs/inside/events.md */
import * as z from 'zod'
import { internal } from './access.ts'
import type { Operation } from './operation.ts'

/** Number and id in the outbox. */
const key = z.strictObject({ sequence: z.int().min(1).max(9e15), uuid: z.string().max(36) })

export const outboxEvent = key.extend({
  /** `evt_…` */
  id: z.string(),
  type: z.string(),
  aggregate_id: z.string(),
  /** Unix milliseconds. */
  created_ms: z.int(),
  /** JSON, as it was written. */
  data: z.string(),
  actor: z.string().nullable(),
  request_id: z.string().nullable(),
  address: z.string().nullable(),
  changes: z.string().nullable(),
})
export type ReadEvent = z.infer<typeof outboxEvent>

export const outboxOperations = {
  read_events: {
    summary: 'Read the oldest events that the service activity has not taken yet',
    access: internal,
    body: z.strictObject({
      /** Events of earlier answers that are stored durably now. */
      taken: z.array(key).max(1000),
      limit: z.int().min(1).max(1000),
    }),
    output: z.object({ events: z.array(outboxEvent), more: z.boolean() }),
    errors: [],
    // What is noted as taken twice is noted once.
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
