import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { firstKeys } from '../licences-example-bodies.ts'
import { licenceKeys } from '../licences.ts'
import { absent, acme } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Read the keys that licences of a seller are verified with',
  http: { method: 'GET', path: '/workspaces/{id}/licence_keys', status: 200 },
  access: { credentials: [], anonymous: true, workspace: false, roles: [] },
  params: z.object({ id: pathId }),
  output: licenceKeys,
  replyHeaders: ['Cache-Control'],
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'licences keys',
    help: 'Print the keys that licences of a workspace are verified with, as a JWK Set.',
    ids: { id: 'ws_…' },
    examples: ['licences keys ws_01h455vb4pex5vsknk084sn02q --json > keys.json'],
  },
  page: '/settings/licence-keys',
  group: 'Licences',
  description:
    'A JWK Set (RFC 7517) of the seller with this id, for everybody: to be kept with the program that verifies. A workspace that does not exist looks like one that has issued no licence.',
  examples: [
    {
      step: 1066,
      summary: 'Keys of a seller',
      by: 'nobody',
      request: { params: { id: acme } },
      answer: { body: firstKeys },
    },
    {
      step: 1067,
      name: 'none',
      summary: 'No licence was issued yet',
      by: 'nobody',
      request: { params: { id: absent('ws') } },
      answer: { body: { keys: [] } },
    },
  ],
})
