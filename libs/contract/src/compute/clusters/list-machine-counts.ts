import { inPath, keptHours, machineCount } from '../clusters.ts'
import { workspaceMember } from '../../core/access.ts'
import { bareError } from '../../core/errors.ts'
import type { Operation } from '../../core/operation.ts'
import { queryInteger } from '../../core/text.ts'
import { absent, at, customerCluster } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'List how many machines a cluster had, by hour',
  http: { method: 'GET', path: '/clusters/{id}/machines', status: 200 },
  access: workspaceMember,
  permission: 'clusters:read',
  params: inPath,
  query: z.strictObject({
    hours: queryInteger(1, keptHours, 168).describe(
      'How many hours, of which the last one is the current one.',
    ),
  }),
  output: z.object({
    data: z.array(machineCount).describe('Oldest first; hours without a report are left out.'),
  }),
  errors: ['ClusterNotFoundError'],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'clusters machines',
    options: { hours: { help: 'How far back.' } },
    columns: ['hour: at', 'least', 'most'],
  },
  page: '/clusters/:id',
  group: 'Clusters',
  description:
    'For charts: the smallest and the largest number that the cluster’s agent reported in each hour of the last 30 days.',
  examples: [
    {
      step: 1120,
      summary: 'The last two days',
      by: 'customer',
      request: { params: { id: customerCluster }, query: { hours: '48' } },
      answer: { body: { data: [{ at: at(), least: 3, most: 5 }] } },
    },
    {
      step: 1130,
      summary: 'Id of another workspace',
      by: 'script',
      request: { params: { id: absent('clus') } },
      refusal: bareError('ClusterNotFoundError'),
    },
  ],
})
