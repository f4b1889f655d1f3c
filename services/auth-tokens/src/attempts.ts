/** Limits on what can be guessed, held in the database: they are the same on every replica. */
import { type ApiError, refusal } from '@svc/contract/errors'
import { hashCredential } from '@svc/runtime/credential'
import ipaddr from 'ipaddr.js'

/** Attempts within ten minutes. */
export const attemptLimits = {
  sign_in_per_account_and_address: 10,
  // Wide: whoever knows an address could otherwise keep its person from signing in.
  sign_in_per_account: 100,
  sign_in_per_address: 50,
  /** Wrong user codes: design, "auth-tokens". */
  user_codes_per_account: 5,
  user_codes_in_all: 500,
  device_grants_per_address: 200,
  verifications_per_account: 3,
  verifications_per_address: 30,
} as const

export const attemptWindowSeconds = 600

/** The same within a day: what sends mail to others, or fills tables. */
export const dailyLimits = {
  mail_per_recipient: 10,
  invitations_per_person: 300,
  workspaces_per_person: 100,
} as const

export const dayInSeconds = 86_400

type Limit = keyof typeof attemptLimits | keyof typeof dailyLimits

/** The bucket in which attempts against `subject` are counted; the subject itself is not stored. */
export const bucketOf = (limit: Limit, subject = ''): string =>
  subject === '' ? limit : `${limit} ${hashCredential(subject.toLowerCase())}`

/** Whoever has an address of IPv6 has its whole /64 (RFC 6177). */
export function addressBucket(limit: Limit, address: string): string {
  if (!ipaddr.isValid(address)) return bucketOf(limit, address || 'unknown')
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return bucketOf(limit, parsed.toString())
  return bucketOf(limit, parsed.toByteArray().slice(0, 8).join('.'))
}

/** @param seconds until the next attempt is free */
export const tooManyAttempts = (seconds: number): ApiError =>
  refusal('too_many_attempts', {
    message: `Too many attempts. Try again in ${seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
    // draft-ietf-httpapi-ratelimit-headers: nothing is left, until then.
    headers: { 'Retry-After': String(seconds), RateLimit: `"attempts";r=0;t=${seconds}` },
  })
