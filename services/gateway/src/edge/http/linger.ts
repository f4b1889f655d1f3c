/**
 * Ends a connection whose client may still be sending: our side is closed, and incoming data is dropped for a
 * while. Closing with unread bytes would reset the connection, which discards an answer that the client has not
 * read (RFC 9112, 9.6).
 */
import type { Socket } from 'node:net'
import { bodyLimit, receiveMs } from './http-limits.ts'

export interface LingerBounds {
  /** Bytes that are dropped. */
  readonly bytes: number
  /**
   * Concurrent connections. Beyond it the one that has lingered longest is closed: its client had most time to
   * read.
   */
  readonly connections: number
}

export const lingerBounds: LingerBounds = { bytes: 64 * bodyLimit, connections: 512 }

/** Fewer bytes in this time end it: the client is done or too slow. */
const windowMs = 1000
const leastPerWindow = 1024
const lookEveryMs = 250

interface Lingering {
  readonly endsAt: number
  readonly lastByte: number
  windowEnds: number
  bytesThen: number
}

const lingering = new Map<Socket, Lingering>()
let looking: NodeJS.Timeout | undefined

/**
 * Sends the last text on a connection, and closes our side of it.
 *
 * @param ms how long to keep reading
 */
export function linger(socket: Socket, text = '', ms = receiveMs, bounds = lingerBounds): void {
  if (lingering.has(socket)) return
  socket.end(text)
  const now = performance.now()
  const { bytesRead } = socket
  lingering.set(socket, {
    endsAt: now + ms,
    lastByte: bytesRead + bounds.bytes,
    windowEnds: now + windowMs,
    bytesThen: bytesRead,
  })
  socket.once('close', () => forget(socket))
  const [oldest] = lingering.keys()
  if (lingering.size > bounds.connections) oldest?.destroy()
  looking ??= setInterval(lookAtAll, lookEveryMs).unref()
}

/** Closes a connection that has lingered enough; also called for incoming data. @returns whether it lingers */
export function lookAt(socket: Socket): boolean {
  const one = lingering.get(socket)
  if (!one) return false
  const { bytesRead } = socket
  const now = performance.now()
  const isIdle = now >= one.windowEnds && bytesRead - one.bytesThen < leastPerWindow
  if (isIdle || now >= one.endsAt || bytesRead > one.lastByte) socket.destroy()
  else if (now >= one.windowEnds) Object.assign(one, { windowEnds: now + windowMs, bytesThen: bytesRead })
  return true
}

function lookAtAll() {
  for (const socket of lingering.keys()) lookAt(socket)
}

function forget(socket: Socket) {
  lingering.delete(socket)
  if (lingering.size > 0) return
  clearInterval(looking)
  looking = undefined
}
