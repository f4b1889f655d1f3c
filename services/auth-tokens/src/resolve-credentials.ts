import type { CredentialLookup, authTokens } from '@svc/contract/auth-tokens'
import type { Caller, Role } from '@svc/contract/caller'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { absoluteLifetimeSeconds } from './session-lifetime.ts'

interface Row {
  token_id: string | null
  token_workspace: string | null
  session_id: string | null
  user_id: string | null
  role: Role | null
}

/** Answers many look-ups by one statement, on the primary: no answer is older than its question. */
export const resolveCredentials: Handler<typeof authTokens.operations.resolve_credentials, Deps> = async (
  { body: { lookups } },
  _caller,
  { sql, now, recordUse },
) => {
  const seconds = Math.floor(now() / 1000)
  const rows = await sql<Row>`
    select t.id as token_id, t.workspace_id as token_workspace, s.id as session_id, s.user_id, m.role
    from unnest(
      ${lookups.map(({ kind }) => kind)}::text[],
      ${lookups.map(({ hash }) => hash)}::text[],
      ${lookups.map(({ context }) => context ?? null)}::text[]
    ) with ordinality as l (kind, hash, context, place)
    left join api_tokens t on l.kind = 'api_token' and t.hash = decode(l.hash, 'hex')
      and (t.expires_at is null or t.expires_at > to_timestamp(${seconds}))
    left join sessions s on l.kind = 'session' and s.hash = decode(l.hash, 'hex')
      and s.expires_at > to_timestamp(${seconds})
      and s.created_at > to_timestamp(${seconds - absoluteLifetimeSeconds})
    left join memberships m on m.user_id = s.user_id and m.workspace_id = l.context
    order by l.place`
  for (const { token_id, session_id } of rows) {
    if (token_id) recordUse.apiToken(token_id, seconds)
    if (session_id) recordUse.session(session_id, seconds)
  }
  return { body: { callers: rows.map((row, at) => callerOf(row, lookups[at])) } }
}

function callerOf(row: Row, lookup: CredentialLookup | undefined): Caller | null {
  if (row.token_id && row.token_workspace) {
    return { kind: 'api_token', id: row.token_id, workspace: row.token_workspace, role: 'member' }
  }
  if (row.session_id && row.user_id) {
    const principal = { kind: 'session', id: row.session_id, user: row.user_id } as const
    // Without membership the caller has no workspace: a foreign one and an unknown one answer alike.
    return row.role && lookup?.context
      ? { ...principal, workspace: lookup.context, role: row.role }
      : principal
  }
  return null
}
