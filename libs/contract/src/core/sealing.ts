import * as z from 'zod'
import { internal } from './access.ts'
import type { Operation } from './operation.ts'
import { text } from './text.ts'

export const sealingOperations = {
  reseal: {
    summary:
      'Seal secrets again with the first key: a batch per call, starting where the previous call ended',
    access: internal,
    body: z.strictObject({ after: text(1, 200).optional() }).default({}),
    output: z.object({
      resealed: z.number().int(),
      next: z.string().nullable().describe('Where to continue; null at the end.'),
    }),
    errors: [],
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
