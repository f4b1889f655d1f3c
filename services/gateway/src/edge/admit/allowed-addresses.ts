import { ApiError, refusal } from '@svc/contract/core/errors'
import ipaddr from 'ipaddr.js'

/**
 * Tests addresses against networks in CIDR notation (RFC 4632, RFC 4291), parsed once. The last address that
 * passed is compared first, because a credential is mostly used from one.
 *
 * @returns whether a canonical address (`../http/client-address.ts`) is in one of them
 */
export function allowedAddresses(networks: readonly string[]): (address: string) => boolean {
  const parsed = networks.map(network => ipaddr.parseCIDR(network))
  let last: string | undefined
  return address => {
    if (address === last) return true
    if (!ipaddr.isValid(address)) return false
    const parts = ipaddr.parse(address)
    if (!parsed.some(([network, bits]) => network.kind() === parts.kind() && parts.match(network, bits)))
      return false
    last = address
    return true
  }
}

export const isAddressRefused = (error: unknown) =>
  error instanceof ApiError && error.reason === 'address_refused'

export const addressRefused = (address: string) =>
  refusal('address_refused', {
    message: `The credential is not accepted from ${address || 'an unknown address'}.`,
    metadata: { address },
  })
