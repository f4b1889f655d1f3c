/** Gathers last uses of credentials in memory and writes them in bulk: no request waits for it. */
import type { Sql } from '@svc/runtime/database'
import { type LastUses, gatherUse } from '@svc/runtime/last-uses'
import { absoluteLifetimeSeconds, slidingLifetimeSeconds } from '../sessions/session-lifetime.ts'

export interface RecordUse {
  apiToken(id: string, seconds: number): void
  session(id: string, seconds: number): void
  flush(): Promise<unknown>
}

export function createRecordUse(sql: () => Sql): RecordUse {
  const apiTokens: LastUses = new Map()
  const sessions: LastUses = new Map()
  let flushing: Promise<unknown> = Promise.resolve()
  return {
    apiToken: (id, seconds) => gatherUse(apiTokens, id, seconds),
    session: (id, seconds) => gatherUse(sessions, id, seconds),
    flush() {
      const before = flushing.catch(() => {})
      flushing = before.then(() =>
        Promise.all([write(apiTokens, writeApiTokens), write(sessions, writeSessions)]),
      )
      return flushing
    },
  }

  async function write(
    uses: LastUses,
    statement: (sql: Sql, ids: string[], at: number[]) => Promise<unknown>,
  ) {
    const batch = [...uses].sort(([a], [b]) => (a < b ? -1 : 1))
    if (batch.length === 0) return
    uses.clear()
    try {
      await statement(
        sql(),
        batch.map(([id]) => id),
        batch.map(([, at]) => at),
      )
    } catch (error) {
      for (const [id, at] of batch) gatherUse(uses, id, at)
      throw error
    }
  }
}

// Rows are locked in the order of their ids, so that concurrent replicas cannot deadlock; times only increase, and
// a revoked row stays revoked. Sessions are locked in share mode by devices that open one after an approval
// (poll-device-grant.ts).
const writeApiTokens = (sql: Sql, ids: string[], at: number[]) => sql`/* auth_tokens.record_token_uses */
  with used as (
    select t.id, u.at
    from (
      select id, to_timestamp(seconds) as at from unnest(${ids}::text[], ${at}::bigint[]) as u (id, seconds)
    ) u
    join api_tokens t on t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at)
    order by t.id
    for update of t
  )
  update api_tokens t set last_used_at = used.at from used where t.id = used.id`

const writeSessions = (sql: Sql, ids: string[], at: number[]) => sql`/* auth_tokens.record_session_uses */
  with used as (
    select s.id, u.at
    from (
      select id, to_timestamp(seconds) as at from unnest(${ids}::text[], ${at}::bigint[]) as u (id, seconds)
    ) u
    join sessions s on s.id = u.id and (s.last_used_at is null or s.last_used_at < u.at)
    order by s.id
    for no key update of s
  )
  update sessions s set
    last_used_at = used.at,
    expires_at = least(
      used.at + make_interval(secs => ${slidingLifetimeSeconds}),
      s.created_at + make_interval(secs => ${absoluteLifetimeSeconds})
    )
  from used where s.id = used.id`
