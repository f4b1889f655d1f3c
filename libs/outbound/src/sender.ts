/** Sends to URLs that strangers gave, and to the public internet only. */
import http from 'node:http'
import { checkTarget, type TargetRules } from './check-target.ts'
import { checkedLookup, type FindAddresses, findWith, type NameResolver } from './checked-lookup.ts'
import { type Begin, type Progress, post, readAnswer, type ToPost } from './exchange.ts'
import { failureOf } from './failure.ts'
import { KeptConnections } from './kept-connections.ts'
import { OutboundError } from './outbound-error.ts'
import { retryAfterSeconds } from './retry-after.ts'
import { ProxyError } from './tunnel.ts'

/** From the call on: name, connection, TLS, and the answer to its end. */
const defaultTimeoutMs = 10_000

export interface SenderOptions extends TargetRules {
  /** In place of `resolver`: all addresses of a name. */
  readonly lookup?: FindAddresses
  /** Default: asks the name servers of this machine. */
  readonly resolver?: NameResolver
  /**
   * All that goes by https goes through it, as `http://user:password@proxy.example.com:3128`. It resolves the names, so which addresses
   * may be reached is for it to say.
   */
  readonly proxy?: string
  /** Authorities in place of those that Node.js trusts. */
  readonly ca?: string | string[]
  /** Unix milliseconds. */
  readonly now?: () => number
}

export interface Outgoing {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** Else it begins when there is a connection. Where nothing is to be sent, that is `aborted`. */
  readonly begin?: Begin
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
}

export interface Answer {
  readonly status: number
  /** What `Retry-After` asks for. */
  readonly retryAfterSeconds?: number
  readonly durationMs: number
  /** How the body begins, up to 2 KB, as the other end sent it. */
  readonly text: string
}

export interface Sender {
  /**
   * POSTs once, and follows nothing. Whatever is not allowed is refused before anything leaves this machine.
   *
   * @throws OutboundError
   * @throws ProxyError where the proxy is the reason, whatever the URL
   */
  send(outgoing: Outgoing): Promise<Answer>
  /** Ends all connections, with what is being sent. */
  close(): void
}

/** The proxies of the environment are not asked: they would resolve the name anew, where nobody checks the address. */
export function createSender(options: SenderOptions): Sender {
  const { allowLoopback, ports, lookup, resolver, proxy, ca, now = Date.now } = options
  const checked = checkedLookup(lookup ?? findWith(resolver), { allowLoopback })
  const secure = new KeptConnections({ ca, lookup: checked, ...(proxy && { proxy: new URL(proxy) }) })
  // Loopback only.
  const plain = new http.Agent({ lookup: checked })

  return {
    async send({ url, headers, body, begin, timeoutMs = defaultTimeoutMs, signal }) {
      const started = performance.now()
      const durationMs = () => Math.round(performance.now() - started)
      const problem = checkTarget(url, { allowLoopback, ports })
      if (problem) throw new OutboundError('target_not_allowed', problem)
      const end = new AbortController()
      const timer = setTimeout(() => end.abort(), timeoutMs)
      const abort = () => end.abort()
      if (signal?.aborted) abort()
      signal?.addEventListener('abort', abort, { once: true })
      const progress: Progress = { phase: 'connect' }
      try {
        const answer = await Promise.race([
          exchange(new URL(url), { headers, body, begin, signal: end.signal }, progress),
          rejectAtEnd(end.signal),
        ])
        return { ...answer, durationMs: durationMs() }
      } catch (error) {
        if (error instanceof ProxyError && !end.signal.aborted) throw error
        const { code, message } = !end.signal.aborted
          ? failureOf(error, progress.phase)
          : signal?.aborted || progress.asking
            ? ({ code: 'aborted', message: 'It was stopped.' } as const)
            : ({ code: 'timeout', message: `No complete answer within ${timeoutMs / 1000} s.` } as const)
        throw new OutboundError(code, message, durationMs(), progress.status, error)
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
      }
    },
    close() {
      secure.destroy()
      plain.destroy()
    },
  }

  async function exchange(target: URL, outgoing: ToPost, progress: Progress) {
    const agent = target.protocol === 'https:' ? secure : plain
    const response = await post(target, outgoing, agent, progress)
    progress.status = response.statusCode ?? 0
    const { status } = progress
    if (status >= 300 && status < 400) {
      response.destroy()
      throw new OutboundError('redirect', `The answer is a redirect (${status}), which is not followed.`)
    }
    const text = await readAnswer(response, progress)
    return { status, text, retryAfterSeconds: retryAfterSeconds(response.headers['retry-after'], now()) }
  }
}

/** Whatever else has become of the request. */
const rejectAtEnd = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
