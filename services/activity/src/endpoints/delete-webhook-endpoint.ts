import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { isHeld, settleSenders } from '../deliveries/begin-window.ts'
import type { Deps } from '../deps.ts'
import { endpointData } from './webhook-endpoint.ts'

/** `purgeDeliveries` removes its deliveries later. */
export const deleteWebhookEndpoint: Handler<
  typeof activity.operations.delete_webhook_endpoint,
  Deps
> = async ({ params: { id } }, { workspace }, { sql, eventWritten, call }) => {
  const [deleted] = await sql<{ is_held: boolean }>`/* activity.delete_webhook_endpoint */
    with deleted as (
      delete from webhook_endpoints where workspace_id = ${workspace} and id = ${id} returning id, workspace_id, ${isHeld}
    ), noted as (
      insert into deleted_webhook_endpoints (id) select id from deleted
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.webhook_endpoints.deleted', ${endpointData} from deleted
    )
    select is_held from deleted`
  if (!deleted) throw refusal('not_found', { path: ['id'] })
  eventWritten()
  await settleSenders(deleted)
  return { body: undefined }
}
