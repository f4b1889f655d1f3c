import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { hostOf } from './check-target.ts'
import { codeOf, type Phase } from './failure.ts'

/** How much of an answer is read, and dropped. */
const longestAnswerBytes = 64 * 1024

/** Above what any server needs; more is refused while it arrives. */
const longestHeadersBytes = 16 * 1024

export interface ToPost {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  readonly signal: AbortSignal
}

/** How far a request came; `status` is there as soon as the answer has begun. */
export interface Progress {
  phase: Phase
  status?: number
}

/** The beginning of the answer. */
export async function post(
  target: URL,
  outgoing: ToPost,
  agent: http.Agent,
  progress: Progress,
): Promise<IncomingMessage> {
  const { headers, body, signal } = outgoing
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
  // One may follow the first, when nobody waits for it.
  request.on('error', () => {})
  request.on('socket', socket => follow(socket, secure, progress))
  request.end(body)
  try {
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    return response
  } catch (error) {
    // The other end closed a kept connection while this was on its way.
    const closed = codeOf(error) === 'ECONNRESET' || codeOf(error) === 'EPIPE'
    if (!request.reusedSocket || !closed || signal.aborted) throw error
    return post(target, outgoing, agent, progress)
  }
}

function follow(socket: Socket, secure: boolean, progress: Progress) {
  progress.phase = socket.connecting ? 'connect' : 'protocol'
  if (!socket.connecting) return
  socket.once('connect', () => {
    progress.phase = secure ? 'tls' : 'protocol'
  })
  socket.once('secureConnect', () => {
    progress.phase = 'protocol'
  })
}

/** Reads an answer to its end, or up to where nobody would read on; its connection is closed then. */
export async function drop(response: IncomingMessage): Promise<void> {
  let bytes = 0
  for await (const chunk of response) {
    bytes += (chunk as Buffer).byteLength
    if (bytes > longestAnswerBytes) return
  }
}
