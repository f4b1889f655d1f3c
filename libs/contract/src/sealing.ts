/** Of every service that keeps secrets at rest. */
import * as z from 'zod'
import { internal } from './access.ts'
import type { Operation } from './operation.ts'
import { text } from './text.ts'

export const sealingOperations = {
  reseal: {
    summary:
      'Seal secrets with the first key that are not: some at a call, from the place that the call before answered',
    access: internal,
    body: z.strictObject({ after: text(1, 200).optional() }).default({}),
    output: z.object({
      resealed: z.number().int(),
      next: z.string().nullable().describe('Where to go on; null at the end.'),
    }),
    errors: [],
    safe: true,
  },
} as const satisfies Record<string, Operation>
