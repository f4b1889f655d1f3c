import * as z from 'zod'

/**
 * Parts of answers with which whoever reads them can do or know more: tokens, secrets, passwords in plain text. An operation that answers
 * with one names its event (`test/secret-events.test.ts`).
 */
export const secrets = z.registry()
