import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { deliveryColumns, type DeliveryRow } from './webhook-delivery.ts'

/** Locks the endpoint before the delivery, like the statement that records results. */
export const redeliverWebhook: Handler<typeof activity.operations.redeliver_webhook, Deps> = async (
  { params: { id, delivery_id } },
  { workspace },
  { sql, now, deliveryAdded },
) => {
  const at = now() / 1000
  const [row] = await sql<DeliveryRow>`/* activity.redeliver_webhook */
    with endpoint as materialized (
      select id from webhook_endpoints where workspace_id = ${workspace} and id = ${id} for no key update
    ), asked as (
      update webhook_deliveries d set asked_at = to_timestamp(${at})
      from endpoint e where d.endpoint_id = e.id and d.event_id = ${delivery_id}
      returning d.*
    ), woken as (
      update webhook_endpoints e set due_at = to_timestamp(${at}), woken = true
      from asked a where e.id = a.endpoint_id
    )
    select ${deliveryColumns} from asked`
  if (!row) throw refusal('not_found', { path: ['delivery_id'] })
  deliveryAdded()
  return { body: row }
}
