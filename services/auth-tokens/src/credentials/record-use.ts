/** Gathers last uses of credentials in memory and writes them in bulk: no request waits for it. */
import type { Sql } from '@svc/runtime/database'
import { type LastUses, gatherUse } from '@svc/runtime/last-uses'
import { absoluteLifetimeSeconds, slidingLifetimeSeconds } from '../sessions/session-lifetime.ts'

export interface RecordUse {
  /** @param used what it did, as bits of `../api-tokens/used-permissions.ts`; nothing if a gateway does not say */
  apiToken(id: string, seconds: number, used?: bigint): void
  session(id: string, seconds: number): void
  flush(): Promise<unknown>
}

export function createRecordUse(sql: () => Sql): RecordUse {
  const apiTokens: LastUses = new Map()
  const used = new Map<string, bigint>()
  const sessions: LastUses = new Map()
  let flushing: Promise<unknown> = Promise.resolve()
  return {
    apiToken(id, seconds, bits = 0n) {
      gatherUse(apiTokens, id, seconds)
      if (bits !== 0n && apiTokens.has(id)) used.set(id, (used.get(id) ?? 0n) | bits)
    },
    session: (id, seconds) => gatherUse(sessions, id, seconds),
    flush() {
      const before = flushing.catch(() => {})
      flushing = before.then(() => Promise.all([write(apiTokens, writeUsed), write(sessions, writeSessions)]))
      return flushing
    },
  }

  async function writeUsed(sql: Sql, ids: string[], at: number[]) {
    const bits = ids.map(id => used.get(id) ?? 0n)
    used.clear()
    try {
      await writeApiTokens(sql, ids, at, bits)
    } catch (error) {
      for (const [n, id] of ids.entries()) used.set(id, (used.get(id) ?? 0n) | (bits[n] ?? 0n))
      throw error
    }
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

// Rows are locked in the order of their ids, so that concurrent replicas cannot deadlock; times only increase, bits are
// only added, and a revoked row stays revoked. Sessions are locked in share mode by devices that open one after an
// approval (poll-device-grant.ts).
const writeApiTokens = (
  sql: Sql,
  ids: string[],
  at: number[],
  bits: bigint[],
) => sql`/* auth_tokens.record_token_uses */
  with used as materialized (
    select t.id, u.at, u.bits
    from (
      select id, to_timestamp(seconds) as at, bits
      from unnest(${ids}::text[], ${at}::bigint[], ${bits.map(String)}::text[]::bigint[]) as u (id, seconds, bits)
    ) u
    join api_tokens t on t.id = u.id and (t.last_used_at is null or t.last_used_at < u.at or u.bits <> 0)
    order by t.id
    for update of t
  ), touched as (
    update api_tokens t set last_used_at = used.at from used
    where t.id = used.id and (t.last_used_at is null or t.last_used_at < used.at)
  ), days as (
    select id, (at at time zone 'UTC')::date as day, bits from used where bits <> 0
  )
  insert into api_token_uses as known (token_id, day, used)
  select d.id, d.day, d.bits
  from days d left join api_token_uses k on k.token_id = d.id and k.day = d.day
  where k.used is null or k.used | d.bits <> k.used
  order by d.id
  on conflict (token_id, day) do update set used = known.used | excluded.used`

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
      s.created_at + make_interval(secs => ${absoluteLifetimeSeconds}),
      s.ends_at
    )
  from used where s.id = used.id`
