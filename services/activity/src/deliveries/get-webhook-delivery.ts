import type { activity } from '@svc/contract/activity/activity'
import { answerDays } from '@svc/contract/activity/webhooks'
import { refusal } from '@svc/contract/core/errors'
import { readableLines } from '@svc/contract/core/invisible'
import type { Handler } from '@svc/contract/core/operation'
import type { Seal } from '@svc/runtime/seal'
import type { Deps } from '../deps.ts'
import { headers } from './send-delivery.ts'
import { answerContext, deliveryColumns, type DeliveryRow } from './webhook-delivery.ts'

interface Row extends DeliveryRow {
  readonly body: string
  readonly answer: string | null
}

export const getWebhookDelivery: Handler<typeof activity.operations.get_webhook_delivery, Deps> = async (
  { params: { id, delivery_id } },
  { workspace },
  { sql, now, seal },
) => {
  const [row] = await sql<Row>`/* activity.get_webhook_delivery */
    select d.* from webhook_endpoints e, lateral (
      select ${deliveryColumns}, body,
        case when last_attempt_at > to_timestamp(${now() / 1000 - answerDays * 86_400}) then answer end as answer
      from webhook_deliveries where endpoint_id = e.id and event_id = ${delivery_id}
    ) d
    where e.workspace_id = ${workspace} and e.id = ${id}`
  if (!row) throw refusal('not_found', { path: ['delivery_id'] })
  const { body, answer, ...delivery } = row
  const at = delivery.attempts.at(-1)?.at
  if (at === undefined) return { body: { ...delivery, request: null, response: null } }
  const request = {
    headers: { ...headers, 'webhook-id': delivery_id, 'webhook-timestamp': String(at) },
    body,
  }
  const text = answer && unsealed(seal, answer, answerContext(id, delivery_id, at))
  return { body: { ...delivery, request, response: text ? { body: readableLines(text) } : null } }
}

/** Undefined: it is of another attempt, or its key is gone, as answers are not resealed. */
function unsealed(seal: Seal, answer: string, context: string): string | undefined {
  try {
    return seal.unseal(answer, context)
  } catch {
    return undefined
  }
}
