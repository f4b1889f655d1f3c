import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { permissionsIn } from '@svc/contract/core/permissions'
import type { Handler } from '@svc/contract/core/operation'
import { afterCursor, pageOf } from '@svc/runtime/cursor'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { authTime, methods } from './proof.ts'
import { endOfSession, isAlive, isWithin } from './session-lifetime.ts'

interface SessionRow {
  id: string
  client_id: string | null
  client_name: string | null
  address: string | null
  user_agent: string | null
  created_at: number
  last_used_at: number | null
  expires_at: number
  workspace_id: string | null
  can: string | null
  auth_time: number
  amr: string[]
}

export const listSessions: Handler<typeof authTokens.operations.list_sessions, Deps> = async (
  { query: { limit, cursor } },
  caller,
  { sql, now },
) => {
  const seconds = Math.floor(now() / 1000)
  const rows = await sql<SessionRow>`/* auth_tokens.list_sessions */
    select s.id, c.id as client_id, c.name as client_name, s.address, s.user_agent,
      unix_seconds(s.created_at) as created_at,
      unix_seconds(s.last_used_at) as last_used_at,
      ${endOfSession} as expires_at, s.workspace_id, s.can,
      unix_seconds(${authTime}) as auth_time, to_jsonb(${methods}) as amr
    from sessions s left join oauth_clients c on c.id = s.client_id
    where s.user_id = ${personOf(caller)} and ${isWithin(caller)} and s.id < ${afterCursor(cursor, 'sess')}
      and ${isAlive(seconds)}
    order by s.id desc
    limit ${limit + 1}`
  const sessions = rows.map(({ client_id, client_name, can, ...session }) => ({
    ...session,
    client: client_id && client_name ? { id: client_id, name: client_name } : null,
    permissions: can === null ? null : permissionsIn(can),
    current: session.id === caller.id,
  }))
  return { body: pageOf(sessions, limit) }
}
