import * as z from 'zod'
import { internalForWorkspace } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { text, unixSeconds } from '../core/text.ts'

export const webhookMailOperations = {
  request_webhook_mail: {
    summary:
      'Tell the owners and admins of a workspace by mail that a webhook endpoint fails, once for each key',
    access: internalForWorkspace,
    body: z.strictObject({
      key: text(1, 200),
      kind: z
        .enum(['failing', 'disabled', 'gone'])
        .describe('It fails; it was disabled for that; it was disabled as it answered 410.'),
      host: text(1, 300).describe('Where its URL leads to.'),
      since: unixSeconds.nullable().describe('When it began to fail.'),
    }),
    errors: [],
    safe: true,
    narrows: false,
  },
} as const satisfies Record<string, Operation>
