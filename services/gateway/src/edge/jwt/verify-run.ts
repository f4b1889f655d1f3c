/** ID tokens of CI runs, of the issuers that the operator trusts: docs/specification.md, R89. */
import { maxClaims, runClaims } from '@svc/contract/auth-tokens/ci-trusts'
import { workspaceId } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import { text } from '@svc/contract/core/text'
import { hashCredential } from '@svc/runtime/credential'
import type { Log } from '@svc/runtime/log'
import type { Claims, TrustedWorkload } from '@svc/runtime/trusted-workloads'
import type { JWTPayload } from 'jose'
import { clockToleranceSeconds, createCheckToken } from './check-token.ts'
import { fetchedKeySet } from './fetch-keys.ts'
import type { Algorithm } from './import-keys.ts'

export interface VerifiedRun {
  readonly issuer: string
  /** The audience is this workspace alone: the token is worth nothing in another. */
  readonly workspace: string
  readonly token_hash: string
  readonly expires_at: number
  readonly claims: Claims
}

export interface RunVerifier {
  /**
   * @throws ApiError `Unauthorized` for an invalid token, `Forbidden` for a run of a refused event, `Unavailable` if it
   * cannot be verified now
   */
  verify(token: string): Promise<VerifiedRun>
  stop(): void
}

export interface RunVerifierOptions {
  readonly workloads: readonly TrustedWorkload[]
  readonly publicUrl: string
  readonly now: () => number
  readonly maxVerifying: number
  readonly log: Log
}

const algorithms: readonly Algorithm[] = ['RS256', 'ES256']

/** They run with the rights of the default branch, on what a stranger sent in. */
const refusedEvents = ['pull_request_target', 'workflow_run']

const tokenId = text(1, 500)

/** Nothing is fetched before the first token of an issuer arrives. */
export function createRunVerifier(options: RunVerifierOptions): RunVerifier {
  const { workloads, publicUrl, now, maxVerifying, log } = options
  const issuers = workloads.map(workload => ({
    name: workload.issuer,
    typ: 'JWT',
    requiredClaims: ['exp', 'iat', 'sub', 'jti'],
    maxAgeSeconds: workload.max_age_seconds,
    keys: fetchedKeySet(workload, { algorithms, onDemand: true, now, log }),
  }))
  const checkToken = createCheckToken({
    issuers: new Map(issuers.map(issuer => [issuer.name, issuer])),
    now,
    maxVerifying,
  })
  return {
    async verify(token) {
      const { issuer, claims, expires } = await checkToken(token)
      const { aud, jti, event_name } = claims
      const workspace = workspaceId.safeParse(
        typeof aud === 'string' && aud.startsWith(`${publicUrl}/`)
          ? aud.slice(publicUrl.length + 1)
          : undefined,
      )
      if (!workspace.success || !tokenId.safeParse(jti).success) throw refusal('credential_invalid')
      if (refusedEvents.includes(String(event_name))) {
        throw refusal('credential_kind', {
          message: `Runs of ${event_name} are not trusted: strangers can start them.`,
        })
      }
      return {
        issuer: issuer.name,
        workspace: workspace.data,
        token_hash: hashCredential(JSON.stringify([issuer.name, jti])),
        // Until then it would be accepted again.
        expires_at: Math.ceil(expires) + 2 * clockToleranceSeconds,
        claims: textsOf(claims),
      }
    },
    stop() {
      for (const { keys } of issuers) keys.stop()
    },
  }
}

/** A person's address is nobody's business. */
const isPrivate = (name: string) => name.endsWith('email')

const textsOf = (claims: JWTPayload): Claims =>
  Object.fromEntries(
    Object.entries(claims)
      .filter(([name, value]) => !isPrivate(name) && runClaims.safeParse({ [name]: value }).success)
      .slice(0, maxClaims),
  ) as Claims
