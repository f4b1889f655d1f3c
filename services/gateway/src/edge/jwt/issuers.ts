/** Issuers of accepted JWTs: auth-tokens, and the outside issuers that the operator trusts. */
import { scaled } from '@svc/contract/core/deadline-scale'
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { jwtLifetimeSeconds } from '@svc/contract/auth-tokens/signing-keys'
import { maskOf, permissions } from '@svc/contract/core/permissions'
import { ConfigError } from '@svc/runtime/config'
import type { Log } from '@svc/runtime/log'
import { gatewayCaller } from '../admit/gateway-caller.ts'
import { fetchedKeySet } from './fetch-keys.ts'
import { createKeySet, type KeySet } from './key-set.ts'
import type { JWTPayload } from 'jose'
import type { TrustedIssuer } from './trusted-issuers.ts'
import type { Issuer } from './verify-token.ts'

export interface Issuers {
  readonly ownKeys: KeySet
  readonly byName: ReadonlyMap<string, Issuer>
  stop(): void
}

export interface IssuersOptions {
  readonly call: CallBus
  readonly publicUrl: string
  readonly trusted: readonly TrustedIssuer[]
  readonly now: () => number
  readonly log: Log
}

const loadMs = scaled(2000)

/** @throws ConfigError if an outside issuer has our own name */
export function createIssuers({ call, publicUrl, trusted, now, log }: IssuersOptions): Issuers {
  if (trusted.some(({ issuer }) => issuer === publicUrl)) {
    throw new ConfigError([
      '  TRUSTED_ISSUERS: PUBLIC_URL is an issuer already, and cannot be an outside one',
    ])
  }
  const ownKeys = createKeySet({
    load: async () => {
      const { keys } = await invoke(call, authTokens, 'list_signing_keys', {
        caller: gatewayCaller,
        deadline: Date.now() + loadMs,
      })
      return keys.map(({ public_jwk }) => public_jwk)
    },
    algorithms: ['ES256'],
    everyMs: 15_000,
    // Until the first keys have been read, no JWT can be distinguished from a forged one.
    retryMs: 1000,
    now,
    log: log.child({ issuer: publicUrl }),
  })
  const own: Issuer = {
    name: publicUrl,
    audience: publicUrl,
    typ: 'at+jwt',
    // RFC 9068, section 2.2.
    requiredClaims: ['exp', 'sub', 'client_id', 'iat', 'jti'],
    maxAgeSeconds: jwtLifetimeSeconds,
    keys: ownKeys,
    subjectOf: ({ sid, narrowed_sid: session = sid, token_hash: hash }, kid) =>
      hash === undefined ? { kind: 'jwt', session, kid } : { kind: 'api_token', hash, kid },
    scopeOf: ({ scope }) => (scope === undefined ? undefined : maskOfScope(scope)),
  }
  const issuers = [own, ...trusted.map(outside)]
  return {
    ownKeys,
    byName: new Map(issuers.map(issuer => [issuer.name, issuer])),
    stop() {
      for (const { keys } of issuers) keys.stop()
    },
  }

  function outside(trusted: TrustedIssuer): Issuer {
    const { issuer, audience, email_claim, require_email_verified, max_age_seconds, typ, algorithms } =
      trusted
    return {
      name: issuer,
      audience,
      typ,
      requiredClaims: ['exp', 'sub', 'iat'],
      maxAgeSeconds: max_age_seconds,
      keys: fetchedKeySet(trusted, { algorithms, now, log }),
      // OpenID Connect Core, 5.1: an unverified address is only a claim.
      subjectOf: claims =>
        require_email_verified && claims.email_verified !== true
          ? undefined
          : { kind: 'outside', email: claims[email_claim], ...proofIn(claims) },
    }
  }
}

/** What a later release may name is left out; without anything else, a kept answer would be taken for one without a scope. */
function maskOfScope(scope: unknown): string | null {
  if (typeof scope !== 'string') return null
  const named = scope.split(' ')
  return maskOf(permissions.filter(name => named.includes(name))) || null
}

/** An authentication after the token was issued is none; what is malformed proves nothing. */
const proofIn = ({ auth_time, amr, iat }: JWTPayload) => ({
  ...(Number.isSafeInteger(auth_time) && {
    auth_time: Math.max(0, Math.min(Number(auth_time), Number(iat))),
  }),
  ...(Array.isArray(amr) && amr.includes('mfa') && { with_factor: true }),
})
