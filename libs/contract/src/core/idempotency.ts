import * as z from 'zod'
import { anyText } from './text.ts'

/** Any characters that a header may have: docs/specification.md, R28. */
export const idempotencyKey = anyText(1, 64)

export const idempotencyHeaders = z.object({
  'idempotency-key': idempotencyKey
    .optional()
    .describe('Your name for this request: repeating it with the same key creates nothing more.'),
})
