import { type CredentialLookup, credentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import { refusal } from '@svc/contract/core/errors'
import { hashCredential } from '@svc/runtime/credential'
import type { JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import {
  type CheckTokenOptions,
  clockToleranceSeconds,
  createCheckToken,
  type TokenIssuer,
} from './check-token.ts'
import type { KeySet } from './key-set.ts'
import { maxTokenLength } from './read-token.ts'

type WithoutContext<T> = T extends unknown ? Omit<T, 'context'> : never
export type Subject = WithoutContext<Extract<CredentialLookup, { kind: 'jwt' | 'outside' | 'api_token' }>> & {
  /** The bitmap of what the token may at most. */
  readonly scope?: string | undefined
}

export interface Issuer extends TokenIssuer {
  readonly audience: string
  /** The subject of a verified token, to be checked against the contract; undefined: none. */
  readonly subjectOf: (claims: JWTPayload, kid: string) => Record<string, unknown> | undefined
  /** The bitmap of what the token may at most; null: it names no scope of ours. Absent: its issuer gives none. */
  readonly scopeOf?: (claims: JWTPayload) => string | null | undefined
}

/** @throws ApiError `Unauthorized` for an invalid token, `Unavailable` if it cannot be verified now */
export type VerifyToken = (token: string) => Promise<Subject>

export interface VerifyTokenOptions extends CheckTokenOptions<Issuer> {
  readonly maxKept?: number
}

interface Verified {
  readonly subject: Subject
  readonly expires: number
  readonly keys: KeySet
  readonly version: number
}

/**
 * A check costs as much CPU as the rest of the gateway's work, so its result is cached by the SHA-256 of the
 * token until it expires or the keys change. Refusals are not cached: in a flood of bad tokens each one is
 * different.
 */
export function createVerifyToken({ maxKept = 10_000, ...options }: VerifyTokenOptions): VerifyToken {
  const { now } = options
  const checkToken = createCheckToken(options)
  const kept = new LRUCache<string, Verified>({ max: maxKept })
  const underWay = new Map<string, Promise<Verified>>()

  return async token => {
    if (token.length > maxTokenLength) throw refusal('credential_invalid')
    const hash = hashCredential(token)
    const known = kept.get(hash)
    if (known && isCurrent(known)) return known.subject
    kept.delete(hash)
    const shared = underWay.get(hash)
    if (shared) return (await shared).subject
    const check = verify(token)
    underWay.set(hash, check)
    try {
      const verified = await check
      kept.set(hash, verified)
      return verified.subject
    } finally {
      underWay.delete(hash)
    }
  }

  function isCurrent({ expires, keys, version }: Verified): boolean {
    return keys.version === version && expires > Math.floor(now() / 1000) - clockToleranceSeconds
  }

  async function verify(token: string): Promise<Verified> {
    const { issuer, claims, kid, expires, version } = await checkToken(token)
    // One malformed look-up would fail all that share its message.
    const subject = credentialLookup.safeParse(issuer.subjectOf(claims, kid))
    const scope = issuer.scopeOf?.(claims)
    if (!subject.success || scope === null) throw refusal('credential_invalid')
    return { subject: { ...(subject.data as Subject), scope }, expires, keys: issuer.keys, version }
  }
}
