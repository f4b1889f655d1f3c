/** The address of a client: of its connection or, through proxies that are trusted, from X-Forwarded-For. */
import { isIP, SocketAddress } from 'node:net'

/**
 * An address in one spelling: without port, brackets, quotes and zone, IPv6 as in RFC 5952, IPv4 in IPv6 as IPv4.
 *
 * @returns undefined for what is no address
 */
export function canonicalAddress(text: string): string | undefined {
  const unquoted = text.replace(/^"(.*)"$/s, '$1')
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(unquoted) ?? []
  const bare = (bracketed ?? withPort ?? unquoted).replace(/%.*$/s, '')
  const family = isIP(bare)
  if (family === 0) return undefined
  if (family === 4) return bare
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' })
  const [, mapped] = /^::ffff:([\d.]+)$/.exec(address) ?? []
  return mapped ?? address
}

/**
 * Goes from the connection back along the header as far as proxies are trusted. An entry that is no address ends it, as
 * nothing says who wrote what precedes it.
 *
 * @param forwardedFor X-Forwarded-For: each proxy appends whom it got the request from
 * @returns '' for a client that is gone already
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
