import { Resolver } from 'node:dns/promises'
import { isIPv6, type LookupFunction } from 'node:net'
import { isLocalhost, type TargetRules } from './check-target.ts'
import { OutboundError } from './outbound-error.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** All addresses of a name. */
export type FindAddresses = (name: string) => Promise<readonly string[]>

/** How many addresses are tried: a name with thousands would make us flood their owners. */
const triedAddresses = 8

/**
 * The `lookup` of a socket: it answers with addresses that were checked, and with no other, so the socket connects to one of
 * those. A name with one address that is not allowed is refused as a whole, since the next answer may have that one first.
 */
export function checkedLookup(findAddresses: FindAddresses, { allowLoopback }: TargetRules): LookupFunction {
  return (name, { all }, done) => {
    find(name).then(
      found => (all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
      error => done(error, []),
    )
  }

  async function find(name: string) {
    const addresses = allowLoopback && isLocalhost(name) ? ['127.0.0.1', '::1'] : await findAddresses(name)
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw noPublicAddress(name)
    return addresses.slice(0, triedAddresses).map(address => ({ address, family: isIPv6(address) ? 6 : 4 }))
  }

  function isAllowed(address: string) {
    return isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))
  }
}

/** The same for a name that is not there: what names there are in our network is nothing that an answer may tell. */
const noPublicAddress = (name: string) =>
  new OutboundError('address_not_allowed', `No public address of ${name} was found.`)

/** What is needed of `dns.promises.Resolver`. */
export type NameResolver = Pick<Resolver, 'resolve4' | 'resolve6'>

/**
 * Asks name servers, and neither `/etc/hosts` nor the search domains of a cluster. Not `dns.lookup`, which takes one of four
 * threads for as long as a stranger's name server is silent. A name server that fails has found none.
 */
export function findWith(resolver: NameResolver = new Resolver({ timeout: 1500, tries: 2 })): FindAddresses {
  return async name => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
