import type { activity } from '@svc/contract/activity/activity'
import type { Handler } from '@svc/contract/core/operation'
import { requirePermission } from '@svc/contract/core/refuse-caller'
import { newWebhookSecret } from '@svc/outbound/sign-webhook'
import { type CreatedRow, creationKey, orCreated, refuseReplay } from '@svc/runtime/creation-key'
import { newId } from '@svc/runtime/id'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { checkEndpoint } from './check-endpoint.ts'
import {
  endpointColumns,
  endpointData,
  endpointRecord,
  type EndpointRow,
  secretContext,
} from './webhook-endpoint.ts'

/** Delivery begins with new events. */
export const createWebhookEndpoint: Handler<
  typeof activity.operations.create_webhook_endpoint,
  Deps
> = async (
  { headers, body: { url, event_types, description = '' } },
  caller,
  { sql, now, seal, targets, eventWritten, call },
) => {
  // It is sent what the caller may otherwise not read.
  requirePermission(caller, 'events:read')
  checkEndpoint({ url, event_types }, targets)
  const types = [...new Set(event_types)]
  const key = creationKey(headers, { url, event_types: types.toSorted(), description })
  const id = newId('whe')
  const secret = newWebhookSecret()
  const at = now()
  const [created] = await sql<EndpointRow & CreatedRow>`/* activity.create_webhook_endpoint */
    with created as (
      insert into webhook_endpoints (
        id, workspace_id, url, event_types, description, secret, created_at, created_by, position, due_at,
        creation_key, creation_intent
      )
      select ${id}, ${caller.workspace}, ${url}, ${sql.json(types)}, ${description},
        ${seal.seal(secret, secretContext(id))}, to_timestamp(${at / 1000}), ${'user' in caller ? caller.user : caller.id},
        position, to_timestamp(${at / 1000}), ${key.key}, ${key.intent}
      from last_position where only_row
      ${orCreated}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.webhook_endpoints.created', ${endpointData} from created where id = ${id}
    )
    select ${endpointColumns}, creation_intent from created`
  if (!created) throw new Error('the last position is missing')
  refuseReplay(created, id, key)
  const { creation_intent: _, ...endpoint } = created
  eventWritten()
  return { body: { ...endpointRecord(endpoint, at), secret } }
}
