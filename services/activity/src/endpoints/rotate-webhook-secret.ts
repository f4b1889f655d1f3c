import type { activity } from '@svc/contract/activity/activity'
import { rotationSeconds } from '@svc/contract/activity/webhooks'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { newWebhookSecret } from '@svc/outbound/sign-webhook'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import { isHeld, settleSenders } from '../deliveries/begin-window.ts'
import type { Deps } from '../deps.ts'
import {
  endpointColumns,
  endpointData,
  endpointRecord,
  type HeldRow,
  secretContext,
} from './webhook-endpoint.ts'

/** At most two secrets sign: the one before the last is dropped at once. */
export const rotateWebhookSecret: Handler<typeof activity.operations.rotate_webhook_secret, Deps> = async (
  { params: { id }, body },
  { workspace },
  { sql, now, seal, eventWritten, call },
) => {
  const secret = newWebhookSecret()
  const seconds = body?.expires_in ?? rotationSeconds
  const at = now()
  const [row] = await sql<HeldRow>`/* activity.rotate_webhook_secret */
    with rotated as (
      update webhook_endpoints set
        previous_secret = case when ${seconds}::int > 0 then secret end,
        previous_secret_expires_at = case when ${seconds}::int > 0 then to_timestamp(${at / 1000 + seconds}) end,
        secret = ${seal.seal(secret, secretContext(id))}
      where workspace_id = ${workspace} and id = ${id}
      returning *
    ), event as (
      ${intoOutbox(call.by)}
      id, 'events.webhook_endpoints.secret_rotated', ${endpointData} from rotated
    )
    select ${endpointColumns}, ${isHeld} from rotated`
  if (!row) throw refusal('not_found', { path: ['id'] })
  eventWritten()
  return { body: { ...endpointRecord(await settleSenders(row), at), secret } }
}
