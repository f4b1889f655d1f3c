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
  request.on('socket', socket => follow(request, socket, progress))
  request.end(body)
  try {
    return await begun(request)
  } catch (error) {
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

function follow({ reusedSocket, protocol }: http.ClientRequest, socket: Socket, progress: Progress) {
  const connected = protocol === 'https:' ? 'tls' : 'protocol'
  // One through a proxy is connected already.
  progress.phase = reusedSocket ? 'protocol' : socket.connecting ? 'connect' : connected
  if (reusedSocket) return
  socket.once('connect', () => {
    progress.phase = connected
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
