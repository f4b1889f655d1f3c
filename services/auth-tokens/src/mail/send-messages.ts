/** Sends what is queued in `messages`, at least once each: a row is removed once its message was accepted. */
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import type { Seal } from '@svc/runtime/seal'
import { type WorkLoop, startWorkLoop } from '@svc/runtime/work-loop'
import type { Metrics } from '@svc/telemetry/metrics'
import { type ClaimedMessage, claimMessage, type Lane, lanes, removeMessage } from './claim-message.ts'
import type { Deliver } from './mail-delivery.ts'
import { messageText } from './message-text.ts'
import { noticeText } from './notices/notice-text.ts'
import { newLink } from '../people/verification-links.ts'

/** Over some eight hours: each backoff is twice the one before. */
export const maxAttempts = 10
/** Shorter than the first lease, so that no other replica sends it meanwhile. */
const attemptMs = 45_000

export interface MessageSenderOptions {
  readonly sql: () => Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>
  readonly metrics?: Metrics
  readonly publicUrl: string
  readonly deliver: Deliver
  readonly seal: Seal
}

/** Runs every second, and when woken; sends one message of each lane at a time. */
export function startMessageSender(options: MessageSenderOptions): WorkLoop {
  const { log, metrics } = options
  const loops = (Object.keys(lanes) as Lane[]).map(lane =>
    startWorkLoop({
      name: `send_${lane}`,
      work: cut => sendNext(lane, options, cut),
      everyMs: 1000,
      log,
      metrics,
    }),
  )
  return {
    wake() {
      for (const loop of loops) loop.wake()
    },
    async stop() {
      await Promise.all(loops.map(loop => loop.stop()))
    },
  }
}

/**
 * Whether another may follow at once: not if there is none, and not after a failure, which may be the server's. A
 * message that a stop cuts off is sent again.
 */
async function sendNext(lane: Lane, options: MessageSenderOptions, cut: AbortSignal): Promise<boolean> {
  const { sql, now, log } = options
  // The secret is created now and only the message has it: another attempt creates a new one.
  const { link, hash } = newLink(options.publicUrl)
  const message = await claimMessage(sql(), { at: now() / 1000, linkHash: hash, lane })
  if (!message) return false
  if (message.wanted) {
    const error = await attempt(message, link, options, cut)
    if (error && message.attempts < maxAttempts) {
      log.warn(failure(message, error), 'message not sent, will retry')
      return false
    }
    if (error) log.error(failure(message, error), 'message not sent, gave up')
  }
  await removeMessage(sql(), message.id)
  return true
}

async function attempt(
  message: ClaimedMessage,
  link: string,
  { deliver, publicUrl, seal }: MessageSenderOptions,
  cut: AbortSignal,
): Promise<unknown> {
  // The processes that claimed it before died while sending.
  if (message.attempts > maxAttempts) return new Error('claimed too often')
  try {
    const signal = AbortSignal.any([cut, AbortSignal.timeout(attemptMs)])
    const said = message.notice
      ? noticeText(message, message.notice, { publicUrl, seal })
      : messageText(message, link, publicUrl)
    await deliver({ id: message.id, to: message.email, ...said }, signal)
    return undefined
  } catch (error) {
    return error ?? new Error('not sent')
  }
}

/** Excludes address and text, which a server's answer may quote. */
function failure({ id, kind, attempts }: ClaimedMessage, error: unknown) {
  const { code, command, responseCode } = error as Record<string, unknown>
  return { message_id: id, kind, attempts, code, command, response_code: responseCode }
}
