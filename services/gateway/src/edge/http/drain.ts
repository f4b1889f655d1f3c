import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises'
import { latestResponse } from './connection.ts'
import { receiveCheckMs, receiveMs } from './http-limits.ts'

const quietMs = 25
/** How many times to wait for that: if new clients never stop coming, the port is closed anyway. */
const maxWaits = 10
/** More than the kernel's backlog of connections (511). */
const maxPolls = 1000
/** How long a new connection may take to send its first byte, in milliseconds. */
const firstByteMs = 500
const sweepEveryMs = 25

export type Drain = ReturnType<typeof createDrain>

export function createDrain() {
  const leaving = new AbortController()
  let server: Server
  let closingPort: Promise<void> | undefined
  let accepted = 0
  const open = new Map<Socket, number>()
  const last = new WeakSet<Socket>()

  return {
    get begun() {
      return leaving.signal.aborted
    },
    leaving: leaving.signal,
    /** Settles when the port is closed; set only just before. New requests wait for it. */
    get closingPort() {
      return closingPort
    },

    /** Must be called before the server listens. */
    watch(watched: Server) {
      server = watched
      server.on('connection', socket => {
        accepted++
        open.set(socket, Date.now())
        socket.once('close', () => open.delete(socket))
      })
    },

    /**
     * False for a request after the last one of its connection: its answer would not be received (RFC 9112, 9.6).
     */
    takes(socket: Socket): boolean {
      if (!leaving.signal.aborted) return true
      if (last.has(socket)) return false
      last.add(socket)
      return true
    },

    /**
     * Keeps accepting for `lameDuckMs`, then closes the port; resolves when the last connection is closed.
     */
    async leave(lameDuckMs: number): Promise<void> {
      leaving.abort()
      endAfterAnswersUnderWay()
      await delay(lameDuckMs)
      await closePort()
      const overdueAt = Date.now() + receiveMs + receiveCheckMs
      while (open.size > 0) {
        sweep(Date.now() >= overdueAt)
        await delay(sweepEveryMs)
        await afterPoll()
      }
    },
  }

  function endAfterAnswersUnderWay() {
    for (const socket of open.keys()) {
      const response = latestResponse(socket)
      if (!response || response.headersSent) continue
      response.setHeader('connection', 'close')
      last.add(socket)
    }
  }

  /**
   * Closing the port makes the kernel reset every connection that Node.js has not accepted yet: it accepts one per
   * turn of its loop, so under load there always are some. So new requests wait, since clients without an answer
   * open no further connections. When none has arrived for a moment, and the last poll found none, the queue is
   * empty.
   */
  async function closePort() {
    let closed = () => {}
    closingPort = new Promise(resolve => {
      closed = resolve
    })
    for (let polls = 0, before = -1; before !== accepted && polls < maxPolls; polls++) {
      before = accepted
      if (polls < maxWaits) await delay(quietMs)
      await afterPoll()
    }
    // http.Server's own `close` would end the receive timeouts as well, and slow clients could delay the stop for
    // ever.
    NetServer.prototype.close.call(server)
    closingPort = undefined
    closed()
  }

  /**
   * Closes connections without a request: silent since they opened, or kept alive and idle for the whole lame duck,
   * since every answer after the signal closes its connection. Runs right after a poll, so that data already sent
   * is read. Once `overdue`, slow senders have got a 408, and clients that do not read their answer lose it.
   */
  function sweep(overdue: boolean) {
    const silentSince = Date.now() - firstByteMs
    let sending = false
    for (const [socket, since] of open) {
      const answered = latestResponse(socket)?.writableEnded || socket.writableEnded
      const silent = socket.bytesRead === 0 && since <= silentSince
      if (silent || (overdue && answered)) socket.destroy()
      else if (socket.writableLength > 0) sending = true
    }
    // Node.js considers connections idle whose answer is still being sent, and would cut it off.
    if (!sending) server.closeIdleConnections()
  }
}
