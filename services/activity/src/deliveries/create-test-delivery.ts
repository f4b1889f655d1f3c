import type { activity } from '@svc/contract/activity/activity'
import { testEventType } from '@svc/contract/activity/webhooks'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { newId } from '@svc/runtime/id'
import type { Deps } from '../deps.ts'
import { deliveryColumns, type DeliveryRow } from './webhook-delivery.ts'

/** Per endpoint; older ones are deleted, so that nobody can fill the table. */
const keptTests = 100

/** Created as a failed delivery with a manual attempt. */
export const createTestDelivery: Handler<typeof activity.operations.create_test_delivery, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, deliveryAdded },
) => {
  const at = Math.floor(now() / 1000)
  const event = {
    id: newId('evt'),
    type: testEventType,
    created_at: at,
    workspace_id: workspace,
    aggregate_id: id,
    sequence: 0,
    data: { workspace_id: workspace },
  }
  const [row] = await sql<DeliveryRow>`/* activity.create_test_delivery */
    with woken as (
      update webhook_endpoints set due_at = to_timestamp(${at}), woken = true
      where workspace_id = ${workspace} and id = ${id}
      returning id
    ), removed as (
      delete from webhook_deliveries d where d.ctid = any (array(
        select o.ctid from woken w join webhook_deliveries o on o.endpoint_id = w.id
        where o.position = 0
        order by o.event_id desc offset ${keptTests - 1}
      ))
    ), created as (
      insert into webhook_deliveries (
        endpoint_id, event_id, position, type, aggregate_id, body, state, event_created_at, next_at, asked_at, created_at
      )
      select id, ${event.id}, 0, ${event.type}, id, ${JSON.stringify(event)}, 'failed', to_timestamp(${at}),
        to_timestamp(${at}), to_timestamp(${at}), to_timestamp(${at})
      from woken
      returning *
    )
    select ${deliveryColumns} from created`
  if (!row) throw refusal('not_found', { path: ['id'] })
  deliveryAdded()
  return { body: row }
}
