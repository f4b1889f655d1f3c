import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { isHeld, settleSenders } from '../deliveries/begin-window.ts'
import type { Deps } from '../deps.ts'
import {
  endpointColumns,
  endpointData,
  endpointFields,
  endpointRecord,
  type HeldRow,
} from './webhook-endpoint.ts'

/** A disabled endpoint becomes a paused one. */
export const pauseWebhookEndpoint: Handler<typeof activity.operations.pause_webhook_endpoint, Deps> = async (
  { params: { id } },
  { workspace },
  { sql, now, eventWritten, call },
) => {
  const [row] = await sql<HeldRow>`/* activity.pause_webhook_endpoint */
    with current as (
      select id, ${endpointFields} as previous
      from webhook_endpoints where workspace_id = ${workspace} and id = ${id} for no key update
    ), paused as (
      update webhook_endpoints w set state = 'paused', disabled_reason = null
      from current where w.id = current.id
      returning w.*, current.previous
    ), event as (
      ${intoOutbox(call.by, changesOf(endpointFields))}
      id, 'events.webhook_endpoints.paused', ${endpointData} from paused where previous ->> 'state' <> 'paused'
    )
    select ${endpointColumns}, ${isHeld} from paused`
  if (!row) throw refusal('not_found', { path: ['id'] })
  eventWritten()
  return { body: endpointRecord(await settleSenders(row), now()) }
}
