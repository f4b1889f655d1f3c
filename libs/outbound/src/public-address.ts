/** Which addresses anyone may have us connect to. */
import ipaddr from 'ipaddr.js'

/** All that is assigned to the public internet (RFC 4291, section 2.4): the rest has no range of its own in `ipaddr.js`. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Azure serves the host's own configuration here, to virtual machines only: the address itself is a public one. */
const azureHost = '168.63.129.16'

/**
 * Whether this is an address of the public internet: not private, loopback, link-local (with the metadata of clouds), shared
 * (RFC 6598), multicast, reserved or for documentation, and not one that carries an IPv4 address inside (mapped, NAT64,
 * 6to4, Teredo).
 *
 * @param address as a socket or a name server writes it
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address) || address === azureHost) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast)
}

/** 127.0.0.0/8 and ::1. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.parse(address).range() === 'loopback'
