import { personName } from '../people.ts'
import { proof } from '../sessions.ts'
import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { createdAt, idOf, unixSeconds } from '../../core/text.ts'
import { ada, at, session } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read your own account, and the session behind the credential',
  http: { method: 'GET', path: '/user', status: 200 },
  access: person,
  output: z.object({
    id: idOf('user', 'user'),
    email: z.string().describe('The address with which you sign in.'),
    name: personName.nullable().describe('As you want to be called; null: not given.'),
    verified: z.boolean().describe('Whether the address is verified.'),
    created_at: createdAt,
    session: z
      .object({
        id: idOf('session', 'sess'),
        expires_at: unixSeconds.describe('Unix seconds; extended while the session is used.'),
        ...proof,
      })
      .nullable()
      .describe(
        'The session used for this request, or the one that the JWT was issued for; null: a JWT of an outside issuer.',
      ),
  }),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'whoami', own: true },
  page: { reason: 'Each page says who is signed in, as it is read with the session.' },
  group: 'Sessions',
  description:
    'The person who is signed in. An API token belongs to a workspace, not to a person, and is refused.',
  examples: [
    {
      step: 1530,
      summary: 'The signed-in person',
      by: 'owner',
      request: {},
      answer: {
        body: {
          id: ada.id,
          email: ada.email,
          name: null,
          verified: true,
          created_at: at(),
          session: { id: session, expires_at: at(30 * 24 * 3600), auth_time: at(), amr: [] },
        },
      },
    },
  ],
})
