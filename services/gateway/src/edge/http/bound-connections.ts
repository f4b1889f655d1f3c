import { refusal } from '@svc/contract/core/errors'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from './address-key.ts'
import { canonicalAddress } from './client-address.ts'

interface ConnectionBounds {
  readonly maxPerAddress: number
  readonly isProxy: (address: string) => boolean
  readonly refuse: (socket: Socket, reason: ReturnType<typeof refusal>) => void
}

export function boundConnections(server: Server, { maxPerAddress, isProxy, refuse }: ConnectionBounds): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = canonicalAddress(socket.remoteAddress ?? '')
    if (address === undefined || isProxy(address)) return
    const key = addressKey(address)
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
