import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

export const longestUrl = 2048

export interface TargetRules {
  /** Whether loopback is a target too, at any port and over http as well: for a receiver on the developer's own machine. */
  readonly allowLoopback: boolean
  /** Beside 443: at any port of any host, answers would tell strangers who listens there. */
  readonly ports?: readonly number[]
}

/**
 * What is wrong with a URL that nothing can ever be sent to; undefined where nothing is. What its name resolves to is
 * checked when something is sent.
 *
 * @returns a sentence for whoever gave the URL
 */
export function checkTarget(url: string, { allowLoopback, ports = [] }: TargetRules): string | undefined {
  if (url.length > longestUrl) return `The URL is longer than ${longestUrl} characters.`
  // Parsers disagree about these: this one drops or replaces them.
  if (/[^\x21-\x7e]|\\/.test(url))
    return 'The URL has a space, a backslash, or a character that is not ASCII.'
  if (!URL.canParse(url)) return 'This is not a URL.'
  const target = new URL(url)
  const host = hostOf(target)
  const onLoopback = isIP(host) ? isLoopbackAddress(host) : isLocalhost(host)
  if (target.protocol !== 'https:' && !(allowLoopback && onLoopback && target.protocol === 'http:')) {
    return 'The URL must begin with https://.'
  }
  if (target.username || target.password) return 'The URL must not have a user name or a password.'
  if (url.includes('#')) return 'The URL must not have a fragment.'
  if (allowLoopback && onLoopback) return undefined
  if (target.port && !ports.includes(Number(target.port)))
    return `The URL must have no port but ${[443, ...ports].join(' or ')}.`
  const isPublic = isIP(host) ? isPublicAddress(host) : isPublicName(host)
  return isPublic ? undefined : 'The URL must point to a public address.'
}

/** The host without the brackets of an IPv6 address, and without the dot that ends a full name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

export const isLocalhost = (host: string): boolean => host === 'localhost'

/** Names of one network only: RFC 6761 and 6762, RFC 8375, and `internal`, which ICANN keeps for private use. */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !/\.(localhost|local|internal|home\.arpa)$/.test(host)
