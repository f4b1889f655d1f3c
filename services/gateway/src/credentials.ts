/** From the text of a credential to the principal behind it: design, section 6. */
import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { type CredentialLookup, authTokens, maxLookups } from '@svc/contract/auth-tokens'
import type { Caller } from '@svc/contract/caller'
import { ApiError, refusal } from '@svc/contract/errors'
import { coalesce } from '@svc/runtime/coalesce'
import { type CredentialShape, hashCredential, shapeOf } from '@svc/runtime/credential'

/**
 * Who holds this credential, and may they act in the workspace `context`?
 *
 * @throws ApiError `Unauthorized` for a credential that is malformed, unknown, expired or revoked
 */
export type ResolveCredential = (credential: string, context: string | undefined) => Promise<Caller>

const attemptMs = 1000
const attempts = 4

/**
 * Every request is looked up in auth-tokens; nothing that admits is kept. Requests that arrive while look-ups are
 * under way share the next message, never one that was sent before they came, which may predate a revocation.
 */
export function createResolver(call: CallBus): ResolveCredential {
  const lookUp = coalesce<CredentialLookup, Caller | null>({
    run: lookups => askAuthTokens(call, lookups),
    maxBatch: maxLookups,
    maxConcurrent: 4,
    keyOf: ({ kind, hash, context = '' }) => `${kind} ${hash} ${context}`,
  })

  const byShape: Record<CredentialShape, ResolveCredential> = {
    api_token: (token, context) => found(lookUp({ kind: 'api_token', hash: hashCredential(token), context })),
    session: (token, context) => found(lookUp({ kind: 'session', hash: hashCredential(token), context })),
    // No issuer is trusted yet: the signature check and the look-up of the subject belong here.
    jwt: () => Promise.reject(refusal('credential_invalid')),
  }

  return (credential, context) => {
    const shape = shapeOf(credential)
    return shape ? byShape[shape](credential, context) : Promise.reject(refusal('credential_invalid'))
  }
}

async function found(answer: Promise<Caller | null>): Promise<Caller> {
  const caller = await answer
  if (!caller) throw refusal('credential_invalid')
  return caller
}

/** A look-up only reads, so one that a frozen or dying replica swallowed is asked again of another. */
async function askAuthTokens(call: CallBus, lookups: CredentialLookup[]): Promise<(Caller | null)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { callers } = await invoke(call, authTokens, 'resolve_credentials', {
        caller: { kind: 'internal', id: 'gateway' },
        body: { lookups },
        deadline: Date.now() + attemptMs,
      })
      return callers
    } catch (error) {
      if (attempt < attempts && error instanceof ApiError && error.tag === 'Timeout') continue
      throw notExecuted(error)
    }
  }
}

/** The operation itself was never called: whatever kept the look-up from its answer, a retry is safe. */
const notExecuted = (error: unknown) =>
  error instanceof ApiError && error.tag === 'Timeout' ? refusal('unavailable') : error
