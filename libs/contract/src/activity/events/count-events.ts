import { countedEvents } from '../event.ts'
import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import * as z from 'zod'

export const operation = {
  summary: 'Count what happened in the workspace, by day',
  http: { method: 'GET', path: '/event_counts', status: 200 },
  access: workspaceMember,
  permission: 'events:read',
  query: countedEvents,
  output: z.object({
    data: z
      .array(
        z.object({
          date: z.iso.date().describe('The day in UTC, such as `2026-11-24`.'),
          counts: z
            .record(z.string(), z.int())
            .describe('By type, how many events there were; every type that was asked for is here.'),
        }),
      )
      .describe('One item for each day, oldest first; the last one is today.'),
  }),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: { name: 'events count', own: true },
  page: '',
  group: 'Events',
  description:
    'For charts. Counts the events that `GET /events` lists, so neither sign-ins nor what else is in the audit log alone. Days are days in UTC; one without events has zeros.',
  examples: [
    {
      step: 1390,
      summary: 'Two types, yesterday and today',
      by: 'script',
      request: { query: { types: 'packages.created,products.created', days: '2' } },
      answer: {
        body: {
          data: [
            { date: '2026-11-21', counts: { 'packages.created': 0, 'products.created': 0 } },
            { date: '2026-11-22', counts: { 'packages.created': 1, 'products.created': 1 } },
          ],
        },
      },
    },
  ],
})
