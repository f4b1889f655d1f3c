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
  /** In place of the three above, where the person has signed in with this browser before. */
  sign_in_per_known_browser: 10,
  /** Wrong user codes: design, "auth-tokens". */
  user_codes_per_account: 5,
  user_codes_in_all: 500,
  device_grants_per_address: 200,
  links_per_address: 30,
} as const

export const attemptWindowSeconds = 600

/** The same within a day: what sends mail to others, or fills tables. Each kind of mail has a budget that no other kind spends. */
export const dailyLimits = {
  // Less than half of a recipient's, so that nobody spends those from one network or two.
  links_per_recipient_and_address: 4,
  // The same number with an account and without: the refusals do not tell one from the other.
  sign_up_mail_per_recipient: 10,
  recovery_mail_per_recipient: 10,
  /** For requests from where the person has signed in. */
  recovery_mail_in_reserve: 4,
  invitation_mail_per_recipient: 10,
  // As many as a person may invite, so that one administrator alone never meets it.
  invitation_mail_per_workspace: 300,
  invitations_per_person: 300,
  workspaces_per_person: 100,
} as const

export const dayInSeconds = 86_400

/** The same within a week. */
export const weeklyLimits = {
  invitation_mail_per_workspace_and_recipient: 1,
} as const

export const weekInSeconds = 7 * dayInSeconds

type Limit = keyof typeof attemptLimits | keyof typeof dailyLimits | keyof typeof weeklyLimits

/** The bucket in which attempts against `subject` are counted; the subject itself is not stored. */
export const bucketOf = (limit: Limit, subject = ''): string =>
  subject === '' ? limit : `${limit} ${hashCredential(subject.toLowerCase())}`

export const addressBucket = (limit: Limit, address: string): string =>
  bucketOf(limit, networkOf(address) ?? (address || 'unknown'))

/** Whoever has an address of IPv6 has its whole /64 (RFC 6177). Undefined for what is no address. */
function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.')
}

/** The network as `known_networks` has it; null for what is no address. */
export function networkHash(address: string): string | null {
  const network = networkOf(address)
  return network === undefined ? null : hashCredential(network)
}

/** Buckets of limits with spans of their own, as `take_attempts` takes them. */
export function boundsOf(...limits: readonly (readonly [limit: Limit, bucket: string])[]) {
  const bounds = limits.map(([limit]) => boundOf(limit))
  return {
    buckets: limits.map(([, bucket]) => bucket),
    most: bounds.map(([most]) => most),
    seconds: bounds.map(([, seconds]) => seconds),
  }
}

function boundOf(limit: Limit): [most: number, seconds: number] {
  if (limit in weeklyLimits) return [weeklyLimits[limit as keyof typeof weeklyLimits], weekInSeconds]
  if (limit in dailyLimits) return [dailyLimits[limit as keyof typeof dailyLimits], dayInSeconds]
  return [attemptLimits[limit as keyof typeof attemptLimits], attemptWindowSeconds]
}

/** @param seconds until the next attempt is free */
export const tooManyAttempts = (seconds: number): ApiError =>
  refusal('too_many_attempts', {
    message: `Too many attempts. Try again in ${spanText(seconds)}.`,
    // draft-ietf-httpapi-ratelimit-headers: nothing is left, until then.
    headers: { 'Retry-After': String(seconds), RateLimit: `"attempts";r=0;t=${seconds}` },
  })

function spanText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}
