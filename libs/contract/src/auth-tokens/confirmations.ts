/** People prove again who they are, in a browser (docs/specification.md, R93). */
import * as z from 'zod'
import { browser } from '../core/access.ts'
import type { Operation } from '../core/operation.ts'
import { unixSeconds } from '../core/text.ts'
import { credentialHash } from './credential-lookup.ts'
import { factorProof } from './factors.ts'
import { password } from './sessions.ts'

const codeHash = z.strictObject({ code_hash: credentialHash })

export const confirmationOperations = {
  find_confirmation: {
    summary: 'Find which session of the person waits to be confirmed with a code',
    access: browser,
    body: codeHash,
    output: z.object({
      session: z
        .object({
          client_name: z.string().nullable(),
          address: z.string().nullable(),
          user_agent: z.string().nullable(),
          created_at: unixSeconds,
        })
        .nullable(),
    }),
    errors: [],
    safe: true,
  },
  confirm_session: {
    summary: 'Prove who you are, for the session of the browser or the one that waits with a code',
    access: browser,
    body: codeHash.partial().extend({ proof: z.union([factorProof, z.strictObject({ password })]) }),
    output: z.object({ id: z.string() }),
    errors: ['Unauthorized', 'Conflict', 'Unprocessable', 'RateLimited'],
    event: 'sessions.confirmed',
    narrows: false,
  },
} as const satisfies Record<string, Operation>
