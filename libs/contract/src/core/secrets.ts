import * as z from 'zod'

/**
 * Parts of answers that grant access: tokens, secrets, passwords in plain text. An operation that answers with one
 * names its event (`test/secret-events.test.ts`).
 */
export const secrets = z.registry()
