/** The variable TRUST_PROXY: proxies trusted to state a client's address. */
import { BlockList, isIP, isIPv6 } from 'node:net'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { maxKnownAddresses } from './client-address.ts'

export const trustedProxies = z
  .string()
  .default('')
  .transform(text =>
    text
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== ''),
  )
  .refine(all => all.every(isNetwork), 'must be addresses or networks (10.0.0.0/8), separated by commas')
  .describe('proxies in front of the gateway whose X-Forwarded-For is trusted')

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const maxBits = { 4: 32, 6: 128 }[isIP(address)]
  if (maxBits === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits)
}

export function proxyCheck(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const text of proxies) {
    const [address = '', bits] = text.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  const known = new LRUCache<string, boolean>({
    max: maxKnownAddresses,
    memoMethod: address => list.check(address, familyOf(address)),
  })
  return address => known.memo(address)
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4')
