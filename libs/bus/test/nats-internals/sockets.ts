/** What a connection of the client library writes to its socket. */
import { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Bus } from '../../src/connection.ts'

interface Transport {
  readonly socket: Pick<Socket, 'destroy' | 'on'> & { write(...args: unknown[]): boolean }
}
export const transportOf = ({ nc }: Pick<Bus, 'nc'>) =>
  (nc as unknown as { protocol: { transport: Transport } }).protocol.transport

/** The writes to this connection's socket from now on. */
export function watchWrites(bus: Pick<Bus, 'nc'>): string[] {
  const { socket } = transportOf(bus)
  const writes: string[] = []
  const write = socket.write.bind(socket)
  socket.write = (...args) => {
    const text = Buffer.from(args[0] as Uint8Array).toString('latin1')
    // The library's answers to pings are written separately.
    if (text.length > 0 && text !== 'PONG\r\n' && text !== 'PING\r\n') writes.push(text)
    return write(...args)
  }
  onTestFinished(() => {
    socket.write = write
  })
  return writes
}

/** The sockets of this process to which a text was written, once per write. */
export function watchSockets(): (text: string) => unknown[] {
  const written: [unknown, string][] = []
  const { write } = Socket.prototype
  Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
    if (args[0] instanceof Uint8Array) written.push([this, Buffer.from(args[0]).toString('latin1')])
    return write.apply(this, args as Parameters<typeof write>)
  } as typeof write
  onTestFinished(() => {
    Socket.prototype.write = write
  })
  return text =>
    written.flatMap(([socket, all]) => Array.from({ length: all.split(text).length - 1 }, () => socket))
}
