import type { activity } from '@svc/contract/activity/activity'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { requirePermission } from '@svc/contract/core/refuse-caller'
import { changesOf, intoOutbox } from '@svc/runtime/outbox/outbox'
import { isHeld, settleSenders } from '../deliveries/begin-window.ts'
import type { Deps } from '../deps.ts'
import { checkEndpoint } from './check-endpoint.ts'
import {
  endpointColumns,
  endpointData,
  endpointFields,
  endpointRecord,
  type HeldRow,
} from './webhook-endpoint.ts'

/** The whole row decides whether there was a change, because events show only a part of a URL. */
export const updateWebhookEndpoint: Handler<
  typeof activity.operations.update_webhook_endpoint,
  Deps
> = async (
  { params: { id }, body: { url = null, event_types, description = null } },
  caller,
  { sql, now, targets, eventWritten, call },
) => {
  requirePermission(caller, 'events:read')
  const { workspace } = caller
  checkEndpoint({ url: url ?? undefined, event_types }, targets)
  const types = event_types ? sql.json([...new Set(event_types)]) : null
  const [row] = await sql<HeldRow>`/* activity.update_webhook_endpoint */
    with current as (
      select id, ${endpointFields} as previous, jsonb_build_array(url, event_types, description) as whole
      from webhook_endpoints where workspace_id = ${workspace} and id = ${id} for no key update
    ), changed as (
      update webhook_endpoints w set
        url = coalesce(${url}, url), event_types = coalesce(${types}::jsonb, event_types),
        description = coalesce(${description}, description)
      from current where w.id = current.id
      returning w.*, current.previous, current.whole
    ), event as (
      ${intoOutbox(call.by, changesOf(endpointFields))}
      id, 'events.webhook_endpoints.updated', ${endpointData}
      from changed where whole <> jsonb_build_array(url, event_types, description)
    )
    select ${endpointColumns}, ${isHeld} from changed`
  if (!row) throw refusal('not_found', { path: ['id'] })
  eventWritten()
  return {
    body: endpointRecord(await settleSenders({ ...row, is_held: row.is_held && url !== null }), now()),
  }
}
