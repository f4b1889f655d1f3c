import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { endpointColumns, endpointRecord, type EndpointRow } from './webhook-endpoint.ts'

export const getWebhookEndpoint: Handler<typeof activity.operations.get_webhook_endpoint, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now },
) => {
  const [row] = await sql<EndpointRow>`/* activity.get_webhook_endpoint */
    select ${endpointColumns} from webhook_endpoints where workspace_id = ${workspace} and id = ${id}`
  if (!row) throw refusal('not_found', { path: ['id'] })
  return { body: endpointRecord(row, now()) }
}
