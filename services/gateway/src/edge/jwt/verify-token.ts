/**
 * From the text of a JWT to its subject; whether that subject exists and is still allowed is looked up
 * afterwards.
 */
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
  /** The exact `iss`. */
  readonly name: string
  readonly audience: string
  /** The media type in the header, `application/` left out. */
  readonly typ: string
  /** Beside `iss`, `aud` and `iat`. */
  readonly requiredClaims: readonly string[]
  /** Since its `iat`. */
  readonly maxAgeSeconds: number
  readonly keys: KeySet
  /** The subject of a verified token, to be checked against the contract; undefined: none. */
  readonly subjectOf: (claims: JWTPayload, kid: string) => Record<string, unknown> | undefined
}

/** @throws ApiError `Unauthorized` for a token that is not good, `Unavailable` when it cannot be found out */
export type VerifyToken = (token: string) => Promise<Subject>

export interface VerifyTokenOptions {
  readonly issuers: ReadonlyMap<string, Issuer>
  /** Unix milliseconds. */
  readonly now: () => number
  /** Concurrent signature checks; beyond it the answer is 503. */
  readonly maxVerifying: number
  /** Verified tokens whose signature need not be checked again. */
  readonly maxKept?: number
}

const clockToleranceSeconds = 5

interface Verified {
  readonly subject: Subject
  /** Unix seconds. */
  readonly expires: number
  readonly keys: KeySet
  /** Version of the key set. */
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
    // Before the key is found: where the keys change meanwhile, the result is not kept for longer than the key is.
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
