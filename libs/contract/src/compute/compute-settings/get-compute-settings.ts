import { first, inPath } from '../clusters-example-bodies.ts'
import { computeSettings } from '../compute-settings.ts'
import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { etags } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Get the compute settings of a cluster',
  http: { method: 'GET', path: '/clusters/{id}/compute_settings', status: 200 },
  access: workspaceMember,
  permission: 'clusters:read',
  params: z.object({ id: pathId }),
  output: computeSettings,
  replyHeaders: ['ETag'],
  errors: ['ClusterNotFoundError', 'ComputeSettingsQueryError'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: 'clusters settings get',
  page: '/clusters/:id/settings',
  group: 'Compute settings',
  description:
    'The `etag` of this response, in the body and in the header `ETag`, is needed for a change. It changes only with the settings: machines that start and stop do not affect it.',
  examples: [
    {
      step: 1170,
      summary: 'The settings with their etag',
      by: 'script',
      request: inPath,
      answer: { headers: { ETag: `"${etags.first}"` }, body: first },
    },
  ],
})
