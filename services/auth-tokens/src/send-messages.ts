/** Sends what is queued in `messages`, at least once each: a row is removed when its message was taken over. */
import type { Sql } from '@svc/runtime/database'
import type { Log } from '@svc/runtime/log'
import { untraced } from '@svc/telemetry/tracing'
import { type ClaimedMessage, claimMessage, removeMessage } from './claim-message.ts'
import type { Deliver } from './mail-delivery.ts'
import { messageText } from './message-text.ts'
import { newLink } from './verification-links.ts'

/** Over some eight hours: each pause is twice the one before. */
export const maxAttempts = 10
/** Less than the first lease, so that no other replica sends it meanwhile. */
const attemptMs = 45_000
const lookEveryMs = 1000
/** A stop waits so long for the message under way; what it cuts off is sent again. */
const stopMs = 5000

export interface MessageSender {
  /** There is something to send. */
  wake(): void
  /** Finishes the message under way, and takes no other. */
  stop(): Promise<void>
}

export interface MessageSenderOptions {
  readonly sql: () => Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly publicUrl: string
  readonly deliver: Deliver
}

/** Looks for messages every second, and when it is woken; sends one at a time. */
export function startMessageSender(options: MessageSenderOptions): MessageSender {
  const { log } = options
  const cut = new AbortController()
  let stopping = false
  let again = false
  let running: Promise<void> | undefined
  const timer = setInterval(wake, lookEveryMs)
  timer.unref()
  return {
    wake,
    async stop() {
      stopping = true
      clearInterval(timer)
      const late = setTimeout(() => cut.abort(), stopMs)
      await running
      clearTimeout(late)
    },
  }

  function wake() {
    again = true
    running ??= untraced(sendAll).finally(() => {
      running = undefined
    })
  }

  async function sendAll() {
    try {
      while (again && !stopping) {
        again = false
        while (!stopping && (await sendNext(options, cut.signal))) {}
      }
    } catch (err) {
      log.warn({ err }, 'messages cannot be looked for')
    }
  }
}

/** Whether another may follow at once: not where there is none, and not where this one failed, perhaps with the server. */
async function sendNext(options: MessageSenderOptions, cut: AbortSignal): Promise<boolean> {
  const { sql, now, log } = options
  // The secret is made now and is in the message alone: another attempt makes another.
  const { link, hash } = newLink(options.publicUrl)
  const message = await claimMessage(sql(), { at: now() / 1000, linkHash: hash })
  if (!message) return false
  if (message.wanted) {
    const error = await attempt(message, link, options, cut)
    if (error && message.attempts < maxAttempts) {
      log.warn(failure(message, error), 'message not sent yet')
      return false
    }
    if (error) log.error(failure(message, error), 'message given up')
  }
  await removeMessage(sql(), message.id)
  return true
}

/** The error, where it failed. */
async function attempt(
  message: ClaimedMessage,
  link: string,
  { deliver, publicUrl }: MessageSenderOptions,
  cut: AbortSignal,
): Promise<unknown> {
  // Whoever claimed it the times before ended in the middle.
  if (message.attempts > maxAttempts) return new Error('claimed too often')
  try {
    const signal = AbortSignal.any([cut, AbortSignal.timeout(attemptMs)])
    await deliver({ id: message.id, to: message.email, ...messageText(message, link, publicUrl) }, signal)
    return undefined
  } catch (error) {
    return error ?? new Error('not sent')
  }
}

/** Neither address nor text: what a server answers may quote them. */
function failure({ id, kind, attempts }: ClaimedMessage, error: unknown) {
  const { code, command, responseCode } = error as Record<string, unknown>
  return { message_id: id, kind, attempts, code, command, response_code: responseCode }
}
