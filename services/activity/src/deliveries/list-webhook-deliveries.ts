import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { deliveryColumns, type DeliveryRow } from './webhook-delivery.ts'

export const listWebhookDeliveries: Handler<
  typeof activity.operations.list_webhook_deliveries,
  Deps
> = async ({ params: { id }, query: { limit, cursor, state } }, { workspace }, { sql }) => {
  const rows = await sql<DeliveryRow | { id: null }>`/* activity.list_webhook_deliveries */
    select d.*
    from webhook_endpoints e left join lateral (
      select ${deliveryColumns}
      from webhook_deliveries
      where endpoint_id = e.id and event_id < ${afterCursor(cursor, 'evt')} and ${filters[state ?? 'any']}
      order by event_id desc
      limit ${limit + 1}
    ) d on true
    where e.workspace_id = ${workspace} and e.id = ${id}
    order by d.id desc`
  if (rows.length === 0) throw refusal('not_found', { path: ['id'] })
  return { body: pageOf(rows.filter(row => row.id !== null) as DeliveryRow[], limit) }
}

const filters = {
  any: fragment`true`,
  pending: fragment`(state = 'pending' or asked_at is not null)`,
  delivered: fragment`state = 'delivered' and asked_at is null`,
  failed: fragment`state = 'failed' and asked_at is null`,
}
