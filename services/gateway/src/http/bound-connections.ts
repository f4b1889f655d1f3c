/** Limits the connections per address, so that one client cannot take them all. */
import { refusal } from '@svc/contract/core/errors'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './address-key.ts'
import { proxyCheck } from './trusted-proxies.ts'

interface ConnectionBounds {
  readonly maxPerAddress: number
  /** Proxies: their connections belong to many clients and are not counted. */
  readonly trustedProxies: readonly string[]
  /** Answers on the bare connection, and closes it. */
  readonly refuse: (socket: Socket, reason: ReturnType<typeof refusal>) => void
}

export function boundConnections(
  server: Server,
  { maxPerAddress, trustedProxies, refuse }: ConnectionBounds,
): void {
  const isProxy = proxyCheck(trustedProxies)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isProxy(remoteAddress)) return
    const key = addressKey(remoteAddress)
    const count = (open.get(key) ?? 0) + 1
    open.set(key, count)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
    if (count > maxPerAddress) refuse(socket, tooManyConnections())
  })
}

const tooManyConnections = () => refusal('too_many_connections', { headers: { 'Retry-After': '5' } })
