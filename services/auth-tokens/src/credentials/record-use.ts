/** Last use of credentials, gathered in memory and written in bulk: no request waits for it. */
import type { Sql } from '@svc/runtime/database'
import { absoluteLifetimeSeconds, slidingLifetimeSeconds } from '../sessions/session-lifetime.ts'

export interface RecordUse {
  apiToken(id: string, seconds: number): void
  session(id: string, seconds: number): void
  /** Writes what was gathered; what cannot be written is kept for the next run. */
  flush(): Promise<unknown>
}

/** Ids that may be gathered between two writes; beyond it the uses of further ones are not recorded. */
const maxGathered = 50_000

export function createRecordUse(sql: () => Sql): RecordUse {
  const apiTokens = new Map<string, number>()
  const sessions = new Map<string, number>()
  let flushing: Promise<unknown> = Promise.resolve()
  return {
    apiToken: (id, seconds) => gather(apiTokens, id, seconds),
    session: (id, seconds) => gather(sessions, id, seconds),
    flush() {
      const before = flushing.catch(() => {})
      flushing = before.then(() =>
        Promise.all([write(apiTokens, writeApiTokens), write(sessions, writeSessions)]),
      )
      return flushing
    },
  }

  async function write(
    uses: Map<string, number>,
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
      for (const [id, at] of batch) gather(uses, id, at)
      throw error
    }
  }
}

function gather(uses: Map<string, number>, id: string, seconds: number) {
  const known = uses.get(id)
  if (known === undefined ? uses.size < maxGathered : known < seconds) uses.set(id, seconds)
}

// Rows are locked in the order of their ids, so that two replicas that write at once cannot deadlock;
// times move forward only, and a row that was revoked meanwhile stays revoked.
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
    for update of s
  )
  update sessions s set
    last_used_at = used.at,
    expires_at = least(
      used.at + make_interval(secs => ${slidingLifetimeSeconds}),
      s.created_at + make_interval(secs => ${absoluteLifetimeSeconds})
    )
  from used where s.id = used.id`
