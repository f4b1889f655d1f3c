import { workspaceInPath } from '../people.ts'
import { personOfPath } from '../../core/access.ts'
import { refusal } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { acme, cluster, trial } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'

export const operation = {
  summary: 'Delete a workspace',
  http: { method: 'DELETE', path: '/workspaces/{id}', status: 204 },
  access: { ...personOfPath, roles: ['owner'] },
  permission: 'workspace:write',
  params: workspaceInPath,
  errors: ['Conflict'],
  event: 'workspaces.deleted',
  narrows: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'workspace delete',
    help: 'Delete the workspace: its members, API tokens and webhooks end at once.',
  },
  page: '/settings/delete',
  group: 'Workspaces',
  description:
    'Refused while the workspace has a cluster, or an install or an order in progress on either side; `metadata` names one. Members, API tokens, invitations and offers end before this call returns. The guide “Workspaces” says what is kept.',
  codes: ['in_use', 'role_too_low'],
  examples: [
    {
      step: 1215,
      summary: 'A cluster is left',
      by: 'owner',
      request: { params: { id: acme } },
      refusal: refusal('in_use', {
        path: ['id'],
        message: `It cannot be deleted: cluster ${cluster} refers to it.`,
        metadata: { cluster },
      }),
    },
    {
      step: 1527,
      summary: 'A workspace that nothing refers to',
      by: 'owner',
      request: { params: { id: trial } },
      answer: {},
    },
  ],
})
