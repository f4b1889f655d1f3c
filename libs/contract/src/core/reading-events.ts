/** How `activity` reads the outbox of each service that publishes events. docs/inside/events.md */
import * as z from 'zod'
import { internal } from './access.ts'
import type { Operation } from './operation.ts'

const key = z.strictObject({ sequence: z.int().min(1).max(9e15), uuid: z.string().max(36) })

export const outboxEvent = key.extend({
  id: z.string(),
  type: z.string(),
  aggregate_id: z.string(),
  /** Unix milliseconds. */
  created_ms: z.int(),
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
      taken: z.array(key).max(1000),
      limit: z.int().min(1).max(1000),
    }),
    output: z.object({ events: z.array(outboxEvent), more: z.boolean() }),
    errors: [],
    // Confirming an event twice has no further effect.
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
