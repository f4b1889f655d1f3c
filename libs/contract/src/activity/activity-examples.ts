/** Ada looks up who created the package. */
import { refusal } from '../core/errors.ts'
import { succeeds, isRefused } from '../openapi/example.ts'
import { webhooksExamples } from './webhooks-examples.ts'
import { absent, acme, analytics, at, deployToken, spare } from '../openapi/example-names.ts'

const query = { type: 'packages.created', aggregate: analytics } as const
const event = {
  id: spare('evt'),
  type: 'packages.created',
  aggregate_id: analytics,
  sequence: 4711,
  created_at: at(1000),
  actor: {
    kind: 'api_token',
    id: deployToken.id,
    name: 'deploy',
    credential_id: deployToken.id,
    workspace_id: acme,
  },
  request_id: spare('req'),
  changes: null,
  data: { workspace_id: acme },
} as const

export const activityExamples = [
  ...webhooksExamples,
  succeeds('activity', 'list_events', {
    summary: 'One type of event, of one object',
    by: 'script',
    request: { query },
    answer: { body: { data: [event], next_cursor: null } },
  }),
  succeeds('activity', 'get_event', {
    summary: 'Read',
    by: 'script',
    request: { params: { id: event.id } },
    answer: { body: event },
  }),
  isRefused('activity', 'get_event', {
    summary: 'Id of another workspace',
    by: 'script',
    request: { params: { id: absent('evt') } },
    refusal: refusal('not_found'),
  }),
  succeeds('activity', 'count_events', {
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
  }),
  succeeds('activity', 'list_audit_log', {
    summary: 'With addresses',
    by: 'owner',
    request: { query },
    answer: {
      body: { data: [{ ...event, address: '198.51.100.7', cursor: 'cDQ3MTE' }], next_cursor: null },
    },
  }),
]
