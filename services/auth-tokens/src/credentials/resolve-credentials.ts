import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import type { CredentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import type { Lease } from '@svc/contract/auth-tokens/leases'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import {
  apiTokenPrincipal,
  credentialPrincipal,
  keyPrincipal,
  memberPrincipal,
  ownSessionPrincipal,
  sessionPrincipal,
  userPrincipal,
  workspacePrincipal,
} from '../leases/principals.ts'
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
  const callers = found.map((one, at) => callerOf(one, lookups[at]))
  return { body: { callers, leases: found.map((one, at) => leaseOf(one, lookups[at])) } }
}

function callerOf(found: Found, lookup: CredentialLookup | undefined): Caller | null {
  const named = found.name !== null && { name: found.name }
  if (found.token_id && found.token_workspace) {
    return {
      kind: 'api_token',
      id: found.token_id,
      workspace: found.token_workspace,
      role: 'member',
      ...named,
    }
  }
  if (found.user_id) {
    const kind = lookup?.kind === 'session' ? 'session' : 'jwt'
    // A JWT of an outside issuer has no session here.
    const principal = { kind, id: found.session_id ?? found.user_id, user: found.user_id, ...named } as const
    // Without membership the caller has no workspace: foreign and unknown ones get the same answer.
    return found.role && lookup?.context
      ? { ...principal, workspace: lookup.context, role: found.role }
      : principal
  }
  return null
}

/** A missing membership is looked up each time, because no recall announces that it begins. */
function leaseOf(
  { token_id, token_workspace, token_creator, session_id, session_hash, user_id, role, ends_at }: Found,
  lookup: CredentialLookup | undefined,
): Lease | null {
  if (!lookup) return null
  const principals = 'hash' in lookup ? [credentialPrincipal(lookup.hash)] : []
  if (token_id && token_workspace) {
    principals.push(apiTokenPrincipal(token_workspace, token_id), workspacePrincipal(token_workspace))
    if (token_creator) principals.push(memberPrincipal(token_workspace, token_creator))
    return { principals, ends_at }
  }
  if (!user_id || (lookup.context && !role)) return null
  principals.push(userPrincipal(user_id))
  if (session_id) principals.push(sessionPrincipal(session_id), ownSessionPrincipal(user_id, session_id))
  if (session_hash) principals.push(credentialPrincipal(session_hash))
  if (lookup.kind === 'jwt') principals.push(keyPrincipal(lookup.kid))
  if (lookup.context)
    principals.push(memberPrincipal(lookup.context, user_id), workspacePrincipal(lookup.context))
  return { principals, ends_at }
}
