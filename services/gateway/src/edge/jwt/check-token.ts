/** Checks JWTs of known issuers: RFC 7519, 7.2. */
import { refusal } from '@svc/contract/core/errors'
import { type CryptoKey, type JWTPayload, jwtVerify } from 'jose'
import type { KeySet } from './key-set.ts'
import { maxTokenLength, readToken } from './read-token.ts'

export interface TokenIssuer {
  readonly name: string
  /** Undefined: the caller compares it. */
  readonly audience?: string
  readonly typ: string
  readonly requiredClaims: readonly string[]
  readonly maxAgeSeconds: number
  readonly keys: KeySet
}

export interface CheckedToken<Issuer> {
  readonly issuer: Issuer
  readonly claims: JWTPayload
  readonly kid: string
  /** Unix seconds, by `exp` and by the age that the issuer's tokens may have. */
  readonly expires: number
  /** The version of the keys before the check. */
  readonly version: number
}

export interface CheckTokenOptions<Issuer> {
  readonly issuers: ReadonlyMap<string, Issuer>
  readonly now: () => number
  readonly maxVerifying: number
}

/** @throws ApiError `Unauthorized` for an invalid token, `Unavailable` if it cannot be verified now */
export type CheckToken<Issuer> = (token: string) => Promise<CheckedToken<Issuer>>

export const clockToleranceSeconds = 5

export function createCheckToken<Issuer extends TokenIssuer>({
  issuers,
  now,
  maxVerifying,
}: CheckTokenOptions<Issuer>): CheckToken<Issuer> {
  let verifying = 0

  return async token => {
    if (token.length > maxTokenLength) throw refusal('credential_invalid')
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
    if (!Number.isFinite(claims.exp)) throw refusal('credential_invalid')
    const expires = Math.min(Number(claims.exp), Number(claims.iat) + issuer.maxAgeSeconds)
    return { issuer, claims, kid, expires, version }
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
        ...(audience !== undefined && { audience }),
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
