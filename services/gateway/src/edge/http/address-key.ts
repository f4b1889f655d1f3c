import { isIPv6 } from 'node:net'

/**
 * The unit of limits per address: an IPv4 address, or the /64 of an IPv6 address, which one subscriber has.
 *
 * @param address in the spelling of `canonicalAddress`
 */
export function addressKey(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
