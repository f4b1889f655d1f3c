import { isIP, SocketAddress } from 'node:net'
import { LRUCache } from 'lru-cache'

/** Node.js makes objects of each address that it parses or looks for, which takes 10 µs of a request. */
export const maxKnownAddresses = 1000

/**
 * An address in one spelling: without port, brackets, quotes and zone, IPv6 as in RFC 5952, IPv4 in IPv6 as IPv4.
 *
 * @returns undefined if it is not an address
 */
export function canonicalAddress(text: string): string | undefined {
  const unquoted = text.replace(/^"(.*)"$/s, '$1')
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(unquoted) ?? []
  const bare = (bracketed ?? withPort ?? unquoted).replace(/%.*$/s, '')
  const family = isIP(bare)
  if (family === 0) return undefined
  if (family === 4) return bare
  return spelled.memo(bare)
}

const spelled = new LRUCache<string, string>({
  max: maxKnownAddresses,
  memoMethod(bare) {
    const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
    const [, mapped] = /^::ffff:([\d.]+)$/.exec(address) ?? []
    return mapped ?? address
  },
})

/**
 * Walks from the connection back along the header while proxies are trusted. An invalid entry ends the walk, since
 * nothing shows who wrote the entries before it.
 *
 * @param forwardedFor X-Forwarded-For: each proxy appends the address that sent it the request
 * @returns '' for a client that has disconnected
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  isProxy: (address: string) => boolean,
): string {
  let address = canonicalAddress(remoteAddress ?? '') ?? ''
  const hops = forwardedFor?.split(',') ?? []
  while (address !== '' && isProxy(address)) {
    const before = canonicalAddress(hops.pop()?.trim() ?? '')
    if (before === undefined) break
    address = before
  }
  return address
}
