import { personName } from '../people.ts'
import { operation as getUser } from './get-user.ts'
import { person } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { ada, at, session } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Change your name',
  http: { method: 'PATCH', path: '/user', status: 200 },
  access: person,
  body: z.strictObject({
    name: personName.nullable().describe('As you want to be called; null: none is shown.'),
  }),
  output: getUser.output,
  errors: [],
  narrows: false,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'account update', examples: ['account update --name "Ada Lovelace"'] },
  page: '~/account',
  group: 'Sessions',
  description: 'Members of your workspaces see it beside your address.',
  examples: [
    {
      step: 1535,
      summary: 'A name',
      by: 'owner',
      request: { body: { name: 'Ada Lovelace' } },
      answer: {
        body: {
          id: ada.id,
          email: ada.email,
          name: 'Ada Lovelace',
          verified: true,
          created_at: at(),
          session: { id: session, expires_at: at(30 * 24 * 3600), auth_time: at(), amr: [] },
        },
      },
    },
  ],
})
