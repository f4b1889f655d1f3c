import { workspaceAdmin } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { secrets } from '../../core/secrets.ts'
import { pathId } from '../../core/text.ts'
import { install, installCredential } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Create the credential with which an install of the workspace reads its own values',
  http: { method: 'POST', path: '/installs/{id}/credential', status: 201 },
  access: workspaceAdmin,
  permission: 'installs:write',
  params: z.object({ id: pathId }),
  output: z.object({
    credential: z.string().describe('Shown only once: only a hash of it is stored.').register(secrets),
  }),
  errors: ['NotFound'],
  event: 'installs.credential_created',
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'installs create-credential',
    help: 'Create the credential with which an install reads its values; shown only once.',
    examples: ['installs create-credential inst_01h455vb4pex5vsknk084sn02q'],
  },
  page: '/installs/:id/credential',
  group: 'Installs',
  description:
    'Called by an owner or admin of the workspace that owns the install, for the installed program. It replaces the previous one at once. It gives access to `GET /installs/{id}/field_values` of this install only, and to nothing once the install is removed.',
  examples: [
    {
      step: 1040,
      summary: 'A credential for the installed program',
      by: 'customer',
      request: { params: { id: install } },
      answer: { body: { credential: installCredential } },
    },
  ],
})
