import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import {
  endpointColumns,
  endpointData,
  endpointFields,
  endpointRecord,
  type EndpointRow,
} from './webhook-endpoint.ts'

/** Resets its failures and sends what waits at once. An active endpoint stays as it is. */
export const resumeWebhookEndpoint: Handler<
  typeof activity.operations.resume_webhook_endpoint,
  Deps
> = async ({ params: { id } }, { workspace }, { sql, now, eventWritten, deliveryAdded, call }) => {
  const at = now()
  const [row] = await sql<EndpointRow>`/* activity.resume_webhook_endpoint */
    with current as (
      select id, state as previous_state, ${endpointFields} as previous
      from webhook_endpoints where workspace_id = ${workspace} and id = ${id} for no key update
    ), resumed as (
      update webhook_endpoints w set
        state = 'active', disabled_reason = null, warned = warned and previous_state = 'active',
        failing_since = case when previous_state = 'active' then failing_since end,
        rest_until = null, is_full = false, due_at = to_timestamp(${at / 1000}), woken = true
      from current where w.id = current.id
      returning w.*, current.previous, current.previous_state
    ), hurried as (
      update webhook_deliveries d set next_at = to_timestamp(${at / 1000}), step = 0
      from resumed r
      where r.previous_state <> 'active' and d.endpoint_id = r.id and d.state = 'pending'
    ), event as (
      ${intoOutbox(call.by, changesOf(endpointFields))}
      id, 'events.webhook_endpoints.resumed', ${endpointData} from resumed where previous_state <> 'active'
    )
    select ${endpointColumns} from resumed`
  if (!row) throw refusal('not_found', { path: ['id'] })
  eventWritten()
  deliveryAdded()
  return { body: endpointRecord(row, at) }
}
