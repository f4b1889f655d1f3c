import { session as sessionSchema } from '../sessions.ts'
import { person } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { page, pageQuery } from '../../core/text.ts'
import { at, session } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'List your sessions',
  http: { method: 'GET', path: '/sessions', status: 200 },
  access: { ...person, itself: true },
  query: pageQuery,
  output: page(sessionSchema),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'sessions list',
    columns: [
      "current: current && '*' || ''",
      'id',
      "client: client.name || 'browser'",
      'address',
      'last_used_at',
      'expires_at',
      'user_agent',
    ],
  },
  page: '~/sessions',
  group: 'Sessions',
  description: 'Newest first, browsers and command lines alike. A restricted session sees only itself.',
  examples: [
    {
      step: 1540,
      summary: 'The person’s sessions',
      by: 'owner',
      request: {},
      answer: {
        body: {
          data: [
            {
              id: session,
              client: null,
              address: null,
              user_agent: null,
              created_at: at(),
              last_used_at: at(8000),
              expires_at: at(30 * 24 * 3600),
              workspace_id: null,
              permissions: null,
              auth_time: at(),
              amr: [],
              current: true,
            },
          ],
          next_cursor: null,
        },
      },
    },
    {
      step: 1580,
      summary: 'Already ended',
      by: 'owner',
      request: {},
      refusal: refusal('credential_invalid'),
    },
  ],
})
