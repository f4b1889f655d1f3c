import { OutboundError } from '@svc/outbound/outbound-error'
import type { Sender } from '@svc/outbound/sender'
import { signWebhook } from '@svc/outbound/sign-webhook'
import type { Result } from './record-results.ts'
import { maxRetryAfterSeconds, pauseAfter } from './schedule.ts'
import type { Delivery } from './take-deliveries.ts'

export interface Target {
  readonly url: string
  /** Called when the connection is made. Each secret signs; undefined: the request must not be sent. */
  readonly secrets: () => Promise<readonly string[] | undefined>
  /** Seals how the answer to an attempt begins. */
  readonly seal: (text: string, eventId: string, at: number) => string
}

export interface SendOptions {
  readonly sender: Pick<Sender, 'send'>
  /** Unix milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
}

/** Half of the timeout: slower endpoints get no slots among the fast ones. */
const slowMs = 5000

/** Besides those of the signature. */
export const headers = { 'content-type': 'application/json', 'user-agent': 'svc-webhooks' }

/** @returns undefined if it was not begun, or was cut off and its result is unknown */
export async function sendDelivery(
  { event_id, body, step, asked, test }: Delivery,
  { url, secrets, seal }: Target,
  { sender, now, signal }: SendOptions,
): Promise<Result | undefined> {
  const at = now() / 1000
  const begin = async () => {
    const signing = await secrets()
    return signing && signWebhook({ id: event_id, timestamp: Math.floor(at), body, secrets: signing })
  }
  const failed = {
    event_id,
    at,
    asked,
    test,
    next_at: at + pauseAfter(step),
    rest_until: null,
    answer: null,
  }
  try {
    const sent = await sender.send({ url, headers, body, begin, signal })
    const { status, retryAfterSeconds, durationMs, text } = sent
    const answer = text === '' ? null : seal(text, event_id, at)
    const answered = { ...failed, status, duration_ms: durationMs, slow: durationMs >= slowMs, answer }
    if (status >= 200 && status < 300) return { ...answered, error: null }
    const error = `HTTP ${status}`
    if (retryAfterSeconds === undefined || ![429, 503].includes(status)) return { ...answered, error }
    const rest_until = now() / 1000 + Math.min(retryAfterSeconds, maxRetryAfterSeconds)
    return { ...answered, error, rest_until, next_at: Math.max(failed.next_at, rest_until) }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    if (error.code === 'aborted') return undefined
    return {
      ...failed,
      status: error.status ?? null,
      duration_ms: error.durationMs,
      error: error.message,
      slow: error.code === 'timeout' || error.durationMs >= slowMs,
    }
  }
}
