import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import { hostOf } from './check-target.ts'
import { codeOf, type Phase } from './failure.ts'
import { carrierOf } from './kept-connections.ts'
import { OutboundError } from './outbound-error.ts'

/** Limit for everything the other end sends: interim responses, headers, body and trailers. The rest is not read. */
const longestAnswerBytes = 64 * 1024

/** With what TLS takes: a handshake, and records without content, of which nobody else hears. Looked at now and then. */
const longestCarriedBytes = 256 * 1024
const lookEveryMs = 100

/** Above what any server needs; more is refused while it arrives. */
const longestHeadersBytes = 16 * 1024

const maxInterimAnswers = 3
const keptAnswerBytes = 2048
const parsedBytes = 1024

/**
 * Asked when there is a connection, before anything is sent by it.
 *
 * @returns further headers; undefined: nothing is to be sent
 */
export type Begin = () => Promise<Readonly<Record<string, string>> | undefined>

export interface ToPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly begin?: Begin
  readonly signal: AbortSignal
}

/** How far a request came; `status` is there as soon as the answer has begun. */
export interface Progress {
  phase: Phase
  status?: number
  /** `begin` is being asked: it takes its own time, and not that of the other end. */
  asking?: boolean
  /** Why no more of the answer is read. */
  cut?: OutboundError
}

/** The beginning of the answer. */
export async function post(
  target: URL,
  outgoing: ToPost,
  agent: http.Agent,
  progress: Progress,
): Promise<IncomingMessage> {
  const { headers, body, begin, signal } = outgoing
  const secure = target.protocol === 'https:'
  const request = (secure ? https : http).request({
    method: 'POST',
    // Each by itself: what `request` makes of a URL has its user name and password too.
    hostname: hostOf(target),
    port: target.port || undefined,
    path: target.pathname + target.search,
    headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    agent,
    signal,
    maxHeaderSize: longestHeadersBytes,
    insecureHTTPParser: false,
  })
  const answered = begun(request)
  // Where nobody gets so far as to wait for it.
  answered.catch(() => {})
  try {
    await Promise.race([connected(request, progress), answered])
    if (begin) await ask(begin, request, progress)
    if (!request.destroyed) request.end(body)
    return await answered
  } catch (error) {
    if (progress.cut) throw progress.cut
    // The other end closed a kept connection while this was on its way.
    const closed = codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE'
    if (!request.reusedSocket || !closed || signal.aborted) throw error
    return post(target, outgoing, agent, progress)
  }
}

/** The listeners stay: a second error, when nobody waits for one, would end the process. */
const begun = (request: http.ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject)
    // Without a listener Node.js closes the connection, and says so to nobody.
    request.on('upgrade', (_, socket) => {
      socket.destroy()
      reject(new Error('the other end switched to another protocol'))
    })
  })

/** Until something can be sent. */
const connected = (request: http.ClientRequest, progress: Progress) =>
  new Promise<void>(resolve => {
    request.once('socket', socket => {
      bound(request, socket, progress)
      const open = () => {
        progress.phase = 'protocol'
        resolve()
      }
      if (request.reusedSocket) return open()
      const secure = request.protocol === 'https:'
      // What carries TLS is connected already.
      if (secure) progress.phase = 'tls'
      socket.once(secure ? 'secureConnect' : 'connect', open)
    })
  })

/** Ends the connection where the other end sends too much. */
function bound(request: http.ClientRequest, socket: Socket, progress: Progress) {
  const refuse = (what: string) => {
    progress.cut ??= new OutboundError('protocol', `The answer has more than ${what}.`)
    request.destroy(progress.cut)
  }
  let bytes = 0
  // Node.js parses whatever arrived together, thousands of interim answers, before it does what a listener says. So it gets a
  // little at a time.
  const parse = socket.listeners('data') as ((chunk: Buffer) => void)[]
  socket.removeAllListeners('data')
  const read = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length && !socket.destroyed; at += parsedBytes) {
      const part = chunk.subarray(at, at + parsedBytes)
      bytes += part.length
      if (bytes > longestAnswerBytes) return refuse(`${longestAnswerBytes / 1024} KiB`)
      // The answer is complete, and Node.js has let go of its parser: what comes after it is nobody's.
      if (!(socket as Socket & { parser?: object | null }).parser) return void socket.destroy()
      for (const each of parse) each.call(socket, part)
    }
  }
  socket.on('data', read)
  const carrier = carrierOf(socket)
  const before = request.reusedSocket ? carrier.bytesRead : 0
  const look = () => {
    if (carrier.bytesRead - before > longestCarriedBytes) refuse(`${longestCarriedBytes / 1024} KiB`)
  }
  const looking = setInterval(look, lookEveryMs)
  request.once('close', () => {
    socket.off('data', read)
    clearInterval(looking)
  })
  let interim = 0
  request.on('information', () => {
    if (++interim > maxInterimAnswers) refuse(`${maxInterimAnswers} interim answers`)
  })
}

async function ask(begin: Begin, request: http.ClientRequest, progress: Progress) {
  progress.asking = true
  const headers = await begin()
  progress.asking = false
  if (!headers) {
    request.destroy()
    throw new OutboundError('aborted', 'It was not begun.')
  }
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value)
}

/**
 * Reads an answer to its end, or up to where nobody reads on; its connection is closed then.
 *
 * @returns how it begins
 */
export async function readAnswer(response: IncomingMessage, progress: Progress): Promise<string> {
  let beginning = Buffer.alloc(0)
  response.on('data', (chunk: Buffer) => {
    const missing = keptAnswerBytes - beginning.length
    if (missing > 0) beginning = Buffer.concat([beginning, chunk.subarray(0, missing)])
  })
  try {
    await finished(response)
  } catch (error) {
    if (!progress.cut) throw error
  }
  // Again, since what is no UTF-8 became three bytes for one.
  return decoded(Buffer.from(decoded(beginning)).subarray(0, keptAnswerBytes))
}

/** Without a character that is cut off at its end. */
const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes, { stream: true })
