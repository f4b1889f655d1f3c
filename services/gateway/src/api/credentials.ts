/** From the text of a credential to the principal behind it: docs/specification.md, R3 to R6. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import { type CredentialLookup, maxLookups } from '@svc/contract/auth-tokens/credential-lookup'
import { ApiError, refusal } from '@svc/contract/core/errors'
import { coalesce } from '@svc/runtime/coalesce'
import { type CredentialShape, hashCredential, shapeOf } from '@svc/runtime/credential'
import { type Metrics, createMetrics } from '@svc/telemetry/metrics'
import { meterLookups } from '@svc/telemetry/metrics-http'
import { gatewayCaller } from './gateway-caller.ts'
import type { VerifyToken } from '../jwt/verify-token.ts'

/**
 * Who holds this credential, and may they act in the workspace `context`? Always settles before `deadline` (Unix milliseconds).
 *
 * @throws ApiError `Unauthorized` for a credential that is malformed, unknown, expired or revoked; `Unavailable`
 *   when nobody can tell
 */
export type ResolveCredential = (
  credential: string,
  context: string | undefined,
  deadline: number,
) => Promise<Caller>

export interface ResolverOptions {
  readonly call: CallBus
  readonly verifyToken: VerifyToken
  /** Requests that may wait for a look-up; beyond it the answer is an immediate 503. */
  readonly maxPending: number
  readonly metrics?: Metrics
}

const attemptMs = 1200
const attempts = 4

/**
 * Every request is looked up in auth-tokens; positive answers are not cached. Requests that arrive during a
 * look-up share the next message, never one already sent, which may predate a revocation.
 */
export function createResolver({
  call,
  verifyToken,
  maxPending,
  metrics = createMetrics(),
}: ResolverOptions): ResolveCredential {
  const lookUp = coalesce<CredentialLookup, Caller | null>({
    run: lookups => askAuthTokens(call, lookups),
    name: 'credential_lookups',
    maxBatch: maxLookups,
    // More than one only if one is slow: a frozen replica delays what it was sent, not what comes after.
    maxConcurrent: 4,
    keyOf: lookup => Object.values(lookup).join(' '),
    metrics,
  })

  let pending = 0
  const ask = async (lookup: CredentialLookup): Promise<Caller | null> => {
    if (pending >= maxPending) throw refusal('overloaded')
    pending++
    try {
      return await lookUp(lookup)
    } finally {
      pending--
    }
  }
  const askByHash =
    (kind: 'api_token' | 'session'): ResolveCredential =>
    (credential, context, deadline) =>
      found(before(deadline, ask({ kind, hash: hashCredential(credential), context })))

  const byShape: Record<CredentialShape, ResolveCredential> = {
    api_token: counted('api_token', askByHash('api_token')),
    session: counted('session', askByHash('session')),
    jwt: counted('jwt', (credential, context, deadline) =>
      found(
        before(
          deadline,
          verifyToken(credential).then(subject => ask({ ...subject, context })),
        ),
      ),
    ),
  }

  return (credential, context, deadline) => {
    const shape = shapeOf(credential)
    return shape
      ? byShape[shape](credential, context, deadline)
      : Promise.reject(refusal('credential_invalid'))
  }

  function counted(kind: CredentialShape, resolve: ResolveCredential): ResolveCredential {
    const meter = meterLookups(metrics, kind)
    return async (...asked) => {
      try {
        const caller = await resolve(...asked)
        meter.found()
        return caller
      } catch (error) {
        if (error instanceof ApiError && error.tag === 'Unauthorized') meter.unknown()
        else meter.failed()
        throw error
      }
    }
  }
}

/** A queued look-up may take longer than its request has left; the operation itself was never called. */
function before<T>(deadline: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(refusal('unavailable')), deadline - Date.now())
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

async function found(answer: Promise<Caller | null>): Promise<Caller> {
  const caller = await answer
  if (!caller) throw refusal('credential_invalid')
  return caller
}

/**
 * The same caller with their verified email address, if any; looked up each time.
 *
 * @throws ApiError `Unavailable` when it cannot be found out before `deadline` (Unix milliseconds)
 */
export async function withEmail(call: CallBus, caller: Caller, deadline: number): Promise<Caller> {
  if (caller.kind !== 'session' && caller.kind !== 'jwt') return caller
  const body = { user_id: caller.user }
  const asked = askAgain(until =>
    invoke(call, authTokens, 'read_email', { caller: gatewayCaller, body, deadline: until }),
  )
  const { email } = await before(deadline, asked)
  return email === null ? caller : { ...caller, email }
}

async function askAuthTokens(call: CallBus, lookups: CredentialLookup[]): Promise<(Caller | null)[]> {
  const { callers } = await askAgain(deadline =>
    invoke(call, authTokens, 'resolve_credentials', { caller: gatewayCaller, body: { lookups }, deadline }),
  )
  return callers
}

/** A look-up only reads, so one lost by a frozen or dying replica is retried at another. */
async function askAgain<T>(ask: (deadline: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(Date.now() + attemptMs)
    } catch (error) {
      if (attempt < attempts && error instanceof ApiError && error.tag === 'Timeout') continue
      throw notExecuted(error)
    }
  }
}

/** The operation itself was never called, so a retry is safe whatever happened to the look-up. */
const notExecuted = (error: unknown) =>
  error instanceof ApiError && error.tag === 'Timeout' ? refusal('unavailable') : error
