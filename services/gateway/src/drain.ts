/** Leaves so that every request that has reached this process is answered, and who sends none is not waited for. */
import type { Server } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate as afterPoll, setTimeout as delay } from 'node:timers/promises'
import { latestResponse } from './connection.ts'
import { receiveCheckMs, receiveMs } from './http-limits.ts'

/** When no connection has come for so long, nobody is taken to be on the way, in milliseconds. */
const quietMs = 25
/** So often that is waited for: where new clients never stop coming the port is closed all the same. */
const maxWaits = 10
/** More than the connections that the kernel keeps for us (a backlog of 511). */
const maxPolls = 1000
/** How long a new connection may take to its first byte, in milliseconds. */
const firstByteMs = 500
const sweepEveryMs = 25

export type Drain = ReturnType<typeof createDrain>

export function createDrain() {
  let begun = false
  let server: Server
  let closingPort: Promise<void> | undefined
  let accepted = 0
  /** Every connection, and when it came. */
  const open = new Map<Socket, number>()
  /** Connections whose last request is known: its answer says `Connection: close`. */
  const leaving = new WeakSet<Socket>()

  return {
    /** True from the signal to stop. */
    get begun() {
      return begun
    },
    /** Settles when the port is closed; undefined but for the moment before that. New requests wait for it. */
    get closingPort() {
      return closingPort
    },

    /** Has to be called before the server listens. */
    watch(watched: Server) {
      server = watched
      server.on('connection', socket => {
        accepted++
        open.set(socket, Date.now())
        socket.once('close', () => open.delete(socket))
      })
    },

    /** False where a request comes after the last one of its connection: nobody would get its answer (RFC 9112, 9.6). */
    takes(socket: Socket): boolean {
      if (!begun) return true
      if (leaving.has(socket)) return false
      leaving.add(socket)
      return true
    },

    /** Accepts for `lameDuckMs` more, then closes the port; settles when the last connection is closed. */
    async leave(lameDuckMs: number): Promise<void> {
      begun = true
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

  /** Of several requests that came at once on a connection only the last closes it. */
  function endAfterAnswersUnderWay() {
    for (const socket of open.keys()) {
      const response = latestResponse(socket)
      if (!response || response.headersSent) continue
      response.setHeader('connection', 'close')
      leaving.add(socket)
    }
  }

  /**
   * With the port the kernel resets every connection that it has accepted and we have not: Node.js takes one per turn of
   * its loop, so under load there are some at any time. So new requests wait: clients without an answer open no other
   * connection. When none has come for a moment, and the poll just made found none, nobody is left in the queue.
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
    // That of http.Server would end the receive time-outs as well, and who is slow would keep us for ever.
    NetServer.prototype.close.call(server)
    closingPort = undefined
    closed()
  }

  /**
   * Closes connections without a request: silent since they came, or kept alive and, as every answer since the signal closes
   * its connection, idle for the whole lame duck. Right after a poll, so that what has been sent to us is read. Once it is
   * `overdue`, who was slow to send has got a 408, and who does not take an answer loses it.
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
    // Node.js counts those as idle whose answer is not yet sent to its end, and would cut it off.
    if (!sending) server.closeIdleConnections()
  }
}
