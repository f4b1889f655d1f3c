import { person } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { absent } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'End one of your sessions; `current` is the one used for the request',
  http: { method: 'DELETE', path: '/sessions/{id}', status: 204 },
  access: { ...person, itself: 'session' },
  params: z.object({
    id: pathId.describe('The id of the session, or `current` for the one used for the request.'),
  }),
  errors: ['NotFound'],
  event: 'sessions.ended',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'sessions end',
    help: 'End a session: whoever uses it is signed out.',
    ids: { id: 'sess_…, or current' },
    examples: ['sessions end sess_01h455vb4pex5vsknk084sn02q'],
  },
  page: '~/sessions/end',
  group: 'Sessions',
  description:
    'Its token is refused everywhere as soon as this call returns. `current` is the session used for the request, the only one that a restricted session can end.',
  examples: [
    {
      step: 1560,
      summary: 'Another person’s session',
      by: 'owner',
      request: { params: { id: absent('sess') } },
      refusal: refusal('not_found', { path: ['id'], message: 'You have no such session.' }),
    },
    {
      step: 1570,
      summary: 'The session used for the request',
      by: 'owner',
      request: { params: { id: 'current' } },
      answer: {},
    },
  ],
})
