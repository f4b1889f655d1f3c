import { type CredentialLookup, credentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import { refusal } from '@svc/contract/core/errors'
import { hashCredential } from '@svc/runtime/credential'
import { type CryptoKey, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import type { KeySet } from './key-set.ts'
import { maxTokenLength, readToken } from './read-token.ts'

type WithoutContext<T> = T extends unknown ? Omit<T, 'context'> : never
export type Subject = WithoutContext<Extract<CredentialLookup, { kind: 'jwt' | 'outside' }>>

export interface Issuer {
  readonly name: string
  readonly audience: string
  readonly typ: string
  readonly requiredClaims: readonly string[]
  readonly maxAgeSeconds: number
  readonly keys: KeySet
  /** The subject of a verified token, to be checked against the contract; undefined: none. */
  readonly subjectOf: (claims: JWTPayload, kid: string) => Record<string, unknown> | undefined
}

/** @throws ApiError `Unauthorized` for an invalid token, `Unavailable` if it cannot be verified now */
export type VerifyToken = (token: string) => Promise<Subject>

export interface VerifyTokenOptions {
  readonly issuers: ReadonlyMap<string, Issuer>
  readonly now: () => number
  readonly maxVerifying: number
  readonly maxKept?: number
}

const clockToleranceSeconds = 5

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
export function createVerifyToken(options: VerifyTokenOptions): VerifyToken {
  const { issuers, now, maxVerifying, maxKept = 10_000 } = options
  const kept = new LRUCache<string, Verified>({ max: maxKept })
  const underWay = new Map<string, Promise<Verified>>()
  let verifying = 0

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
    const unverified = readToken(token)
    const issuer = unverified && issuers.get(unverified.issuer)
    if (!issuer) throw refusal('credential_invalid')
    const { alg, kid } = unverified
    const { keys } = issuer
    // Before the key is found: if the keys change meanwhile, the result is not cached longer than the key.
    const { version } = keys
    const key = await keys.find(kid, alg)
    if (!key) throw refusal('credential_invalid')
    const claims = await claimsOf(token, issuer, key, alg)
    // One malformed look-up would fail all that share its message.
    const subject = credentialLookup.safeParse(issuer.subjectOf(claims, kid))
    if (!subject.success || !Number.isFinite(claims.exp)) throw refusal('credential_invalid')
    const expires = Math.min(Number(claims.exp), Number(claims.iat) + issuer.maxAgeSeconds)
    return { subject: subject.data as Subject, expires, keys, version }
  }

  async function claimsOf(
    token: string,
    { name, audience, typ, requiredClaims, maxAgeSeconds }: Issuer,
    key: CryptoKey,
    alg: string,
  ): Promise<JWTPayload> {
    if (verifying >= maxVerifying) throw refusal('overloaded')
    verifying++
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [alg],
        typ,
        issuer: name,
        audience,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: [...requiredClaims],
        // Requires `iat`, and refuses one in the future.
        maxTokenAge: maxAgeSeconds,
        currentDate: new Date(now()),
      })
      return payload
    } catch {
      throw refusal('credential_invalid')
    } finally {
      verifying--
    }
  }
}
