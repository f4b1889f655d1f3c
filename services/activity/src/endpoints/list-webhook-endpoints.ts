import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { endpointColumns, endpointRecord, type EndpointRow } from './webhook-endpoint.ts'

export const listWebhookEndpoints: Handler<typeof activity.operations.list_webhook_endpoints, Deps> = async (
  { query: { limit, cursor } },
  { workspace },
  { sql, now },
) => {
  const rows = await sql<EndpointRow>`/* activity.list_webhook_endpoints */
    select ${endpointColumns}
    from webhook_endpoints
    where workspace_id = ${workspace} and id < ${afterCursor(cursor, 'whe')}
    order by id desc
    limit ${limit + 1}`
  const { data, next_cursor } = pageOf(rows, limit)
  return { body: { data: data.map(row => endpointRecord(row, now())), next_cursor } }
}
