import { acme, analytics, at, deployToken, spare } from '../openapi/example-names.ts'

export const query = { type: 'packages.created', aggregate: analytics } as const
export const event = {
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
