/** One address has so many connections at most, so that nobody takes those of all others. */
import { refusal } from '@svc/contract/errors'
import type { Server } from 'node:http'
import { BlockList, isIPv6, type Socket } from 'node:net'
import { addressKey } from './address-key.ts'

interface ConnectionBounds {
  readonly maxPerAddress: number
  /** Their connections are those of many clients, and are not counted. */
  readonly trustedProxies: readonly string[]
  /** Answers on the bare connection, and closes it. */
  readonly refuse: (socket: Socket, reason: ReturnType<typeof refusal>) => void
}

export function boundConnections(
  server: Server,
  { maxPerAddress, trustedProxies, refuse }: ConnectionBounds,
): void {
  const proxies = networks(trustedProxies)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isIn(proxies, remoteAddress)) return
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

function networks(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const [address = '', bits] = text.split('/')
    const family = familyOf(address)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

const isIn = (list: BlockList, address: string) => list.check(address, familyOf(address))
const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
