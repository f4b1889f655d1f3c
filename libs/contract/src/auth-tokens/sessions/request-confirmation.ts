import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Ask to confirm, in a browser, who you are in the session used for the request',
  http: { method: 'POST', path: '/sessions/current/confirmation', status: 201 },
  access: { ...person, itself: 'session' },
  output: z.object({
    user_code: z.string().describe('The page shows it as well: `XXXX-XXXX`.'),
    verification_uri: z
      .string()
      .describe('Open it in a browser in which you are signed in, and confirm there.'),
    expires_in: z.int().describe('For how many seconds the code is valid.'),
    interval: z.int().describe('How many seconds to wait before each look at `GET /sessions`.'),
  }),
  errors: [],
  safe: true,
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'confirm', own: true },
  page: { reason: 'In a browser the question comes by itself, where something needs it.' },
  group: 'Sessions',
  description:
    'For a session that is not in the browser, such as that of a command line, once an operation was refused with 40104. On the page you enter your password, or use your second factor, and confirm this session alone; `auth_time` of the current session in `GET /sessions` says when you have. Only the last code of a session is valid. A JWT of another issuer has no session here: get a new one there.',
  codes: ['credential_kind'],
  examples: [
    {
      step: 1545,
      summary: 'A code for the session',
      by: 'owner',
      request: {},
      answer: {
        body: {
          user_code: 'BCDF-GHJK',
          verification_uri: 'https://svc.example/confirm?code=BCDF-GHJK',
          expires_in: 600,
          interval: 2,
        },
      },
    },
  ],
})
