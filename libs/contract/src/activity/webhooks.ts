import * as z from 'zod'
import { secrets } from '../core/secrets.ts'
import { createdAt, idOf, list, pathId, text, unixSeconds } from '../core/text.ts'

export const inPath = z.object({ id: pathId })

export const fields = {
  url: text(1, 2048).describe('Where events are sent to, with `https://`.'),
  event_types: list(
    z
      .string()
      .max(101)
      .regex(
        /^[a-z_]{1,50}\.([a-z_]{1,50}|\*)$/,
        'must be a type of event, such as orders.completed or orders.*',
      ),
    { min: 1, max: 100 },
  ).describe('Which events are sent: types such as `orders.completed`, or all of one noun, as `orders.*`.'),
  description: text(0, 200).describe('For you.'),
}

export const endpoint = z
  .object({
    id: idOf('webhook endpoint', 'whe'),
    url: z.string().describe('Where events are sent to.'),
    event_types: z
      .array(z.string())
      .describe(
        'Which events are sent: types such as `orders.completed`, or all of one noun, as `orders.*`.',
      ),
    description: z.string().describe('Your own words; empty if there are none.'),
    state: z
      .enum(['active', 'paused', 'disabled'])
      .describe(
        '`disabled`: the product has stopped sending. Events are kept, and sent after it is resumed.',
      ),
    disabled_reason: z
      .enum(['failing', 'gone'])
      .nullable()
      .describe('`failing`: nothing was accepted for five days. `gone`: it answered 410.'),
    failing_since: unixSeconds
      .nullable()
      .describe(
        'Unix seconds of the first failure since the last success; null: the last attempt succeeded.',
      ),
    last_delivered_at: unixSeconds
      .nullable()
      .describe('When an event was last accepted, in Unix seconds; null: none was.'),
    previous_secret_expires_at: unixSeconds
      .nullable()
      .describe(
        'Unix seconds, until which the secret before the last rotation signs as well; null: it does not.',
      ),
    created_at: createdAt,
  })
  .meta({ id: 'WebhookEndpoint' })

export const withSecret = endpoint
  .extend({
    secret: z
      .string()
      .describe('`whsec_…`, with which you verify signatures. Shown only once.')
      .register(secrets),
  })
  .meta({ id: 'WebhookEndpointWithSecret' })

const attempt = z.object({
  at: unixSeconds.describe('When it was made, in Unix seconds.'),
  status: z.int().nullable().describe('The HTTP status of the answer; null: there was none.'),
  duration_ms: z.int().describe('Milliseconds until the answer, or until it failed.'),
  error: z.string().nullable().describe('Why it failed; null: it was accepted.'),
})

export const delivery = z
  .object({
    id: z.string().describe('Of the event, and the header `webhook-id`.'),
    type: z.string().describe('The type of the event, such as `orders.completed`.'),
    aggregate_id: z.string().describe('The id of what the event is about, such as an order.'),
    state: z
      .enum(['pending', 'delivered', 'failed'])
      .describe('`failed`: given up. It can be delivered again.'),
    created_at: unixSeconds.describe('When the event happened, in Unix seconds.'),
    next_attempt_at: unixSeconds
      .nullable()
      .describe('When it is sent next, in Unix seconds; null: not again.'),
    attempts: z.array(attempt).describe('The last 50, oldest first.'),
  })
  .meta({ id: 'WebhookDelivery' })

export const answerDays = 7

export const deliveryDetails = delivery
  .extend({
    request: z
      .object({
        headers: z.record(z.string(), z.string()).describe('All but the signature.'),
        body: z.string().describe('What is signed, the same at each attempt.'),
      })
      .nullable()
      .describe('As the last attempt sent it; null: there was none yet.'),
    response: z
      .object({ body: z.string().describe('As text; what is no text, or is not seen, is replaced.') })
      .nullable()
      .describe(
        `The first 2 KB of the answer to the last attempt, for ${answerDays} days; null: it was empty, or a redirect, or there was none.`,
      ),
  })
  .meta({ id: 'WebhookDeliveryDetails' })

/** Default for how long the previous secret keeps signing. */
export const rotationSeconds = 24 * 60 * 60
export const maxRotationSeconds = 7 * 24 * 60 * 60

export const webhookMessage = z
  .strictObject({
    id: z.string().describe('Of the event; also the header `webhook-id`, and the same at each attempt.'),
    type: z.string().describe('What happened, such as `orders.completed`.'),
    created_at: unixSeconds.describe('When it happened, in Unix seconds.'),
    workspace_id: idOf('workspace whose event it is', 'ws'),
    aggregate_id: z.string().describe('The id of what the event is about, such as an order.'),
    sequence: z.int().describe('Grows from event to event of one aggregate, with gaps.'),
    data: z.record(z.string(), z.unknown()).describe('As the guide to events lists it for the type.'),
  })
  .meta({ id: 'WebhookMessage' })

export const testEventType = 'webhook_endpoints.test'
