import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import type { CredentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import type { Found } from './look-up.ts'

export const resolveCredentials: Handler<typeof authTokens.operations.resolve_credentials, Deps> = async (
  { body: { lookups } },
  _caller,
  { lookUp, now, recordUse, call },
) => {
  const seconds = Math.floor(now() / 1000)
  const found = await lookUp({ lookups, seconds, deadline: call.deadline })
  for (const { token_id, session_id } of found) {
    if (token_id) recordUse.apiToken(token_id, seconds)
    if (session_id) recordUse.session(session_id, seconds)
  }
  return { body: { callers: found.map((one, at) => callerOf(one, lookups[at])) } }
}

function callerOf(found: Found, lookup: CredentialLookup | undefined): Caller | null {
  if (found.token_id && found.token_workspace) {
    return { kind: 'api_token', id: found.token_id, workspace: found.token_workspace, role: 'member' }
  }
  if (found.user_id) {
    const kind = lookup?.kind === 'session' ? 'session' : 'jwt'
    // A JWT of an outside issuer has no session here.
    const principal = { kind, id: found.session_id ?? found.user_id, user: found.user_id } as const
    // Without membership the caller has no workspace: foreign and unknown ones get the same answer.
    return found.role && lookup?.context
      ? { ...principal, workspace: lookup.context, role: found.role }
      : principal
  }
  return null
}
