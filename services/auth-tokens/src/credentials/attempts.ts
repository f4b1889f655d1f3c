/** Rate limits on what can be guessed, held in the database so that they apply across replicas. */
import { type ApiError, refusal } from '@svc/contract/core/errors'
import { hashCredential } from '@svc/runtime/credential'
import ipaddr from 'ipaddr.js'

export const attemptLimits = {
  sign_in_per_account_and_address: 10,
  // Generous: otherwise anyone who knows an address could lock its owner out.
  sign_in_per_account: 100,
  sign_in_per_address: 50,
  /** Replaces the three above for a browser that the person has signed in with before. */
  sign_in_per_known_browser: 10,
  /** For what asks a signed-in person for their password again. */
  passwords_per_account: 10,
  user_codes_per_account: 5,
  /** Codes of TOTP and recovery codes. */
  factor_codes_per_account: 5,
  device_grants_per_address: 200,
  links_per_address: 30,
  /** Runs of CI that no trust matches; more are not kept. */
  ci_attempts_per_owner: 20,
  ci_attempts_per_workspace: 100,
} as const

export const attemptWindowSeconds = 600

/** Per day, for operations that send mail or fill tables. Each kind of mail has its own budget. */
export const dailyLimits = {
  // Less than half of the recipient's budget, so that one or two networks cannot use it up.
  links_per_recipient_and_address: 4,
  // The same with and without an account, so that refusals do not reveal which it is.
  sign_up_mail_per_recipient: 10,
  recovery_mail_per_recipient: 10,
  /** For requests from a place where the person has signed in before. */
  recovery_mail_in_reserve: 4,
  invitation_mail_per_recipient: 10,
  // As many as one person may invite, so that a single administrator never reaches it.
  invitation_mail_per_workspace: 300,
  notices_per_recipient_and_kind: 10,
  invitations_per_person: 300,
  workspaces_per_person: 100,
  /** Wrong codes by everybody. Beyond it nobody is refused, but new codes are longer. */
  user_codes_in_all: 500,
} as const

export const dayInSeconds = 86_400

export const weeklyLimits = {
  invitation_mail_per_workspace_and_recipient: 1,
} as const

export const weekInSeconds = 7 * dayInSeconds

type Limit = keyof typeof attemptLimits | keyof typeof dailyLimits | keyof typeof weeklyLimits

/** The subject itself is not stored. */
export const bucketOf = (limit: Limit, subject = ''): string =>
  subject === '' ? limit : `${limit} ${hashCredential(subject.toLowerCase())}`

export const addressBucket = (limit: Limit, address: string): string =>
  bucketOf(limit, networkOf(address) ?? (address || 'unknown'))

/** An IPv6 subscriber has a whole /64 (RFC 6177). Undefined if it is not an address. */
function networkOf(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, 8).join('.')
}

/** The network as stored in `known_networks`; null if it is not an address. */
export function networkHash(address: string): string | null {
  const network = networkOf(address)
  return network === undefined ? null : hashCredential(network)
}

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

/**
 * @param seconds until the next attempt is allowed
 * @param instead what else to do
 */
export const tooManyAttempts = (seconds: number, instead = ''): ApiError =>
  refusal('too_many_attempts', {
    message: `Too many attempts. Try again in ${spanText(seconds)}.${instead}`,
    // draft-ietf-httpapi-ratelimit-headers: nothing is left until then.
    headers: { 'Retry-After': String(seconds), RateLimit: `"attempts";r=0;t=${seconds}` },
  })

function spanText(seconds: number): string {
  if (seconds < 120) return `${seconds} seconds`
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} hours`
}
