import { inPath, second } from '../clusters-example-bodies.ts'
import { computeSettings } from '../compute-settings.ts'
import { workspaceMember } from '../../core/access.ts'
import { bareError, refusal } from '../../core/errors.ts'
import { ifMatch } from '../../core/if-match.ts'
import type { Operation } from '../../core/operation.ts'
import { pathId } from '../../core/text.ts'
import { etags } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Update the compute settings of a cluster',
  http: { method: 'PATCH', path: '/clusters/{id}/compute_settings', status: 200 },
  access: workspaceMember,
  permission: 'clusters:settings',
  params: z.object({ id: pathId }),
  headers: z.object({ 'if-match': ifMatch('compute settings') }),
  body: z
    .strictObject({
      auto_scaling_enabled: z
        .boolean()
        .optional()
        .describe('True: `auto_scaling` becomes `active`; false: `inactive`; omitted: it stays.'),
      max_machines: z
        .int()
        .min(1)
        .optional()
        .describe(
          'The upper limit of machines: at most what the operator allows, 1000 by default. Omitted: it stays.',
        ),
    })
    .refine(body => body.auto_scaling_enabled !== undefined || body.max_machines !== undefined, {
      error: 'must have at least one of auto_scaling_enabled, max_machines',
    })
    .meta({ minProperties: 1 }),
  output: computeSettings,
  replyHeaders: ['ETag'],
  errors: ['ClusterNotFoundError', 'ComputeSettingsConflictError', 'ComputeSettingsQueryError'],
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'clusters settings set',
    own: true,
    options: { auto_scaling_enabled: { name: 'auto-scaling' } },
  },
  page: '/clusters/:id/settings',
  group: 'Compute settings',
  description:
    'Changes the fields that are sent and leaves the rest; at least one is required. A `max_machines` below `machines` is accepted: the cluster drains down to it.\n\n**Concurrency.** `If-Match` carries the etag of the latest settings, bare or in double quotes. If someone else has changed them in the meantime, nothing is changed and the response is 409 with `currentEtag`: read the settings again, decide again, and send that etag. Retrying a change that was applied returns 200.',
  examples: [
    {
      step: 1180,
      summary: 'More machines',
      by: 'script',
      request: { ...inPath, headers: { 'if-match': etags.first }, body: { max_machines: 25 } },
      answer: { headers: { ETag: `"${etags.second}"` }, body: second },
    },
    {
      step: 1190,
      summary: 'Someone else was faster: read the settings and decide again',
      by: 'script',
      request: { ...inPath, headers: { 'if-match': etags.first }, body: { auto_scaling_enabled: false } },
      refusal: bareError('ComputeSettingsConflictError', {
        message:
          'The settings have changed since the etag in If-Match. Read them again, and send the current etag.',
        currentEtag: etags.second,
      }),
    },
    {
      step: 1200,
      summary: 'Without If-Match',
      by: 'script',
      request: { ...inPath, body: { max_machines: 30 } },
      refusal: refusal('invalid_header', {
        path: ['If-Match'],
        message: 'If-Match is required: send the etag of the latest compute settings.',
      }),
    },
  ],
})
