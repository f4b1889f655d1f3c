/** The header `Idempotency-Key` of operations that create something. */
import * as z from 'zod'
import { text } from './text.ts'

export const idempotencyKey = text(1, 64)

export const idempotencyHeaders = z.object({
  'idempotency-key': idempotencyKey
    .optional()
    .describe('Your name for this request: repeating it with the same key creates nothing more.'),
})
