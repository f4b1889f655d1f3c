import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'End all of your sessions except the one used for the request',
  http: { method: 'DELETE', path: '/sessions', status: 200 },
  access: person,
  output: z.object({ ended: z.int().describe('How many sessions ended; 0: there were no others.') }),
  errors: [],
  event: 'sessions.ended',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'sessions end-others', own: true },
  page: '~/sessions/end-others',
  group: 'Sessions',
  description:
    'Their tokens are refused everywhere as soon as this call returns, and so are the JWTs that were issued for them. With a JWT, the session that it was issued for stays; with a JWT of another issuer, all of them end. A device that is about to sign in has to ask again.',
  examples: [
    {
      step: 1550,
      summary: 'Signed out everywhere else',
      by: 'owner',
      request: {},
      answer: { body: { ended: 2 } },
    },
  ],
})
