import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import type { CredentialLookup } from '@svc/contract/auth-tokens/credential-lookup'
import type { Lease } from '@svc/contract/auth-tokens/leases'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import {
  apiTokenPrincipal,
  ciTrustPrincipal,
  credentialPrincipal,
  keyPrincipal,
  memberPrincipal,
  ownSessionPrincipal,
  sessionPrincipal,
  userPrincipal,
  workspacePrincipal,
} from '../leases/principals.ts'
import { type Found, nobody } from './look-up.ts'

export const resolveCredentials: Handler<typeof authTokens.operations.resolve_credentials, Deps> = async (
  { body: { lookups, checks_addresses = false } },
  _caller,
  { lookUp, now, recordUse, call },
) => {
  const seconds = Math.floor(now() / 1000)
  const known = await lookUp({ lookups, seconds, deadline: call.deadline })
  // A gateway of a release that does not check addresses must not admit from anywhere.
  const found = checks_addresses ? known : known.map(one => (one.allowed_addresses ? nobody : one))
  for (const { token_id, session_id, allowed_addresses } of found) {
    // The gateway says it for a token with addresses, once it has tested the address.
    if (token_id && !allowed_addresses) recordUse.apiToken(token_id, seconds)
    if (session_id) recordUse.session(session_id, seconds)
  }
  const callers = found.map((one, at) => callerOf(one, lookups[at], checks_addresses))
  return { body: { callers, leases: found.map((one, at) => leaseOf(one, lookups[at])) } }
}

/** @param isCurrent whether a gateway of this release asks; services of the one before refuse what they do not know */
function callerOf(found: Found, lookup: CredentialLookup | undefined, isCurrent: boolean): Caller | null {
  const named = {
    ...(found.can !== null && { can: found.can }),
    ...(found.name !== null && { name: found.name }),
  }
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
    const principal = {
      kind,
      id: found.session_id ?? found.user_id,
      user: found.user_id,
      ...(isCurrent && { auth_time: found.auth_time ?? 0 }),
      ...(found.granted_until !== null && { ends_at: found.granted_until }),
      ...named,
    } as const
    // Without membership the caller has no workspace: foreign and unknown ones get the same answer.
    const workspace = found.bound_to ?? lookup?.context
    return found.role && workspace && (isCurrent || !found.factor_missing)
      ? {
          ...principal,
          workspace,
          role: found.role,
          ...(found.factor_missing && { factor_missing: true }),
        }
      : principal
  }
  return null
}

/** A missing membership is looked up each time, because no recall announces that it begins. */
function leaseOf(
  {
    token_id,
    token_workspace,
    token_creator,
    ci_trust,
    session_id,
    session_hash,
    user_id,
    bound_to,
    role,
    ends_at,
    allowed_addresses,
  }: Found,
  lookup: CredentialLookup | undefined,
): Lease | null {
  if (!lookup) return null
  const principals = 'hash' in lookup ? [credentialPrincipal(lookup.hash)] : []
  if ('kid' in lookup && lookup.kid) principals.push(keyPrincipal(lookup.kid))
  if (token_id && token_workspace) {
    principals.push(apiTokenPrincipal(token_workspace, token_id), workspacePrincipal(token_workspace))
    if (token_creator) principals.push(memberPrincipal(token_workspace, token_creator))
    if (ci_trust) principals.push(ciTrustPrincipal(token_workspace, ci_trust))
    return { principals, ends_at, ...(allowed_addresses && { allowed_addresses }) }
  }
  const workspace = bound_to ?? lookup.context
  if (!user_id || (workspace && !role)) return null
  principals.push(userPrincipal(user_id))
  if (session_id) principals.push(sessionPrincipal(session_id), ownSessionPrincipal(user_id, session_id))
  if (session_hash) principals.push(credentialPrincipal(session_hash))
  if (workspace) principals.push(memberPrincipal(workspace, user_id), workspacePrincipal(workspace))
  return { principals, ends_at }
}
