import { scaled } from '@svc/contract/core/deadline-scale'
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import { type CredentialLookup, maxLookups } from '@svc/contract/auth-tokens/credential-lookup'
import { ApiError, refusal } from '@svc/contract/core/errors'
import { lessened } from '@svc/contract/core/permissions'
import { coalesce } from '@svc/runtime/coalesce'
import { hashCredential, shapeOf } from '@svc/runtime/credential'
import { settleBefore } from '@svc/runtime/settle-before'
import { type Metrics, createMetrics } from '@svc/telemetry/metrics'
import { meterLookups } from '@svc/telemetry/metrics-http'
import { gatewayCaller } from './gateway-caller.ts'
import type { AllowsAddress, Answer, LeasedCache } from '../leases/leased-cache.ts'
import { allowedAddresses } from './allowed-addresses.ts'
import type { UsedCredentials } from '../leases/used-credentials.ts'
import type { Subject, VerifyToken } from '../jwt/verify-token.ts'

export interface Admitted {
  readonly caller: Caller
  /**
   * Until when a service may execute the request, in Unix milliseconds of the database's clock; undefined: the
   * answer is not cached.
   */
  readonly until?: number | undefined
  readonly allows?: AllowsAddress | undefined
}

/**
 * Looks the credential up for the workspace `context`. Always settles before `deadline` (Unix milliseconds).
 *
 * @throws ApiError `Unauthorized` for a credential that is malformed, unknown, expired or revoked; `Unavailable` if
 * it cannot be found out
 */
export type ResolveCredential = (
  credential: string,
  context: string | undefined,
  deadline: number,
) => Promise<Caller>

/** Uses an answer that is cached under a lease, if there is one and no `look-up` is demanded. */
export type AdmitCredential = (
  credential: string,
  context: string | undefined,
  deadline: number,
  by?: 'look-up',
) => Promise<Admitted>

export interface Resolvers {
  readonly resolve: ResolveCredential
  readonly admit: AdmitCredential
}

export interface ResolverOptions {
  readonly call: CallBus
  readonly verifyToken: VerifyToken
  readonly maxPending: number
  readonly metrics?: Metrics
  readonly cache?: LeasedCache
  readonly uses?: UsedCredentials
}

const attemptMs = scaled(1200)
const attempts = 4

/**
 * Asks auth-tokens. Requests that arrive during a look-up share the next message, but never join one already sent,
 * which may predate a revocation. Cached answers are used under a lease that can be recalled:
 * docs/people/leases.md.
 */
export function createResolvers({
  call,
  verifyToken,
  maxPending,
  metrics = createMetrics(),
  cache,
  uses,
}: ResolverOptions): Resolvers {
  const lookUp = coalesce<Lookup, Answer | null>({
    run: lookups => askAuthTokens(call, lookups, cache),
    name: 'credential_lookups',
    maxBatch: maxLookups,
    // More than one only if one is slow: a frozen replica delays the requests sent to it, but not later ones.
    maxConcurrent: 4,
    keyOf,
    metrics,
  })

  let pending = 0
  const ask = async (lookup: Lookup): Promise<Admitted> => {
    if (pending >= maxPending) throw refusal('overloaded')
    pending++
    try {
      const answer = await lookUp(lookup)
      if (!answer) throw refusal('credential_invalid')
      // No recall can come between caching and this: both happen in one turn.
      return { ...answer, until: cache?.get(keyOf(lookup))?.until }
    } finally {
      pending--
    }
  }
  const meters = {
    api_token: meterLookups(metrics, 'api_token'),
    session: meterLookups(metrics, 'session'),
    jwt: meterLookups(metrics, 'jwt'),
  }
  const admit: AdmitCredential = async (credential, context, deadline, by) => {
    const kind = shapeOf(credential)
    if (!kind) throw refusal('credential_invalid')
    const meter = meters[kind]
    try {
      const lookup: Lookup =
        kind === 'jwt'
          ? { ...(await before(deadline, verifyToken(credential))), context }
          : { kind, hash: hashCredential(credential), context }
      const found = by === 'look-up' ? undefined : cache?.get(keyOf(lookup))
      if (found) {
        // Else once the address was tested.
        if (!found.allows) uses?.add(found.caller, Math.floor(Date.now() / 1000))
        meter.kept()
        return found
      }
      const admitted = await before(deadline, ask(lookup))
      meter.found()
      return admitted
    } catch (error) {
      if (error instanceof ApiError && error.tag === 'Unauthorized') meter.unknown()
      else meter.failed()
      throw error
    }
  }
  return {
    admit,
    resolve: async (credential, context, deadline) =>
      (await admit(credential, context, deadline, 'look-up')).caller,
  }
}

/** A JWT’s scope narrows the answer that is kept under it. */
type Lookup = CredentialLookup & Pick<Subject, 'scope'>

const keyOf = (lookup: Lookup) => Object.values(lookup).join(' ')

/** A queued look-up may take longer than its request has left; the operation itself was never called. */
const before = <T>(deadline: number, answer: Promise<T>): Promise<T> =>
  settleBefore(deadline, answer, () => refusal('unavailable'))

/**
 * Adds the caller's verified email address, if any; looked up each time.
 *
 * @throws ApiError `Unavailable` if it cannot be found out before `deadline` (Unix milliseconds)
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

async function askAuthTokens(
  call: CallBus,
  lookups: Lookup[],
  cache: LeasedCache | undefined,
): Promise<(Answer | null)[]> {
  const generation = cache?.generation()
  const { callers, leases } = await askAgain(deadline =>
    invoke(call, authTokens, 'resolve_credentials', {
      caller: gatewayCaller,
      body: { lookups: lookups.map(({ scope: _, ...lookup }) => lookup), checks_addresses: true },
      deadline,
    }),
  )
  return lookups.map((lookup, at) => {
    const [found, lease] = [callers[at], leases[at]]
    if (!found) return null
    const caller = narrowedTo(lookup.scope, found)
    const networks = lease?.allowed_addresses
    const answer = { caller, ...(networks && { allows: allowedAddresses(networks) }) }
    if (lease) cache?.set(keyOf(lookup), answer, lease, generation)
    return answer
  })
}

const narrowedTo = (scope: string | undefined, caller: Caller): Caller =>
  scope === undefined || caller.kind === 'internal' || caller.kind === 'anonymous'
    ? caller
    : { ...caller, can: lessened(caller, scope) }

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
