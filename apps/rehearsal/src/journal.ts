/** What PostgreSQL itself committed, and when: the services' clocks do not show when a statement ran. */
import type postgres from 'postgres'
import type { Exchange, Kind } from './traffic.ts'

export interface Write {
  readonly kind: Kind
  /** Id of the row. */
  readonly id: string
  /** As in the exchange that requested it. */
  readonly key: string
  /** Unix milliseconds. */
  readonly committedAt: number
}

export interface LateWrite extends Write {
  /** How long after the last request that can have caused it. */
  readonly afterMs: number
}

/** The budget of a request, and the delay from the client to the gateway's clock. */
const deadlineMs = 5000 + 150

/** From now on every transaction that writes an offer, a token or settings, or deletes a token, also records that. */
export async function openJournal(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`
    create schema rehearsal;
    create table rehearsal.journal (
      ordinal bigint generated always as identity primary key, kind text not null, id text not null, key text
    );
    create function rehearsal.note() returns trigger language plpgsql security definer set search_path = '' as $$
    declare
      written jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
    begin
      insert into rehearsal.journal (kind, id, key) values (tg_argv[0], written ->> 'id', written ->> tg_argv[1]);
      return null;
    end $$;
    create trigger note after insert on offers.offers
      for each row execute function rehearsal.note('create offer');
    create trigger note after insert on auth_tokens.api_tokens
      for each row execute function rehearsal.note('create token', 'name');
    create trigger gone after delete on auth_tokens.api_tokens
      for each row execute function rehearsal.note('revoke token', 'id');
    create trigger note after update on compute.clusters
      for each row execute function rehearsal.note('edit settings', 'max_machines');
  `)
}

/** The ordinal of the journal's last entry. */
export async function journalEnd(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ ordinal: number }[]>`
    select coalesce(max(ordinal), 0)::int as ordinal from rehearsal.journal`
  return row?.ordinal ?? 0
}

/** @throws Error if the server does not record commit times (`track_commit_timestamp`) */
export async function readJournal(sql: postgres.Sql, after = 0): Promise<Write[]> {
  const rows = await sql<{ kind: Kind; id: string; key: string; committed_at: number | null }[]>`
    select j.kind, j.id,
      case j.kind when 'create offer' then k.key when 'edit settings' then j.id || ' ' || j.key else j.key end as key,
      extract(epoch from pg_xact_commit_timestamp(j.xmin))::float8 * 1000 as committed_at
    from rehearsal.journal j left join offers.idempotency_keys k on j.kind = 'create offer' and k.offer_id = j.id
    where j.ordinal > ${after} order by j.ordinal`
  return rows.map(({ kind, id, key, committed_at }) => {
    if (committed_at === null) throw new Error(`PostgreSQL does not know when it committed ${kind} ${id}.`)
    return { kind, id, key, committedAt: committed_at }
  })
}

/**
 * The writes that were committed after the deadline of every request that can have caused them.
 *
 * @param epoch Unix milliseconds of `performance.now()` = 0
 */
export function lateWrites(
  writes: readonly Write[],
  exchanges: readonly Exchange[],
  epoch: number = Date.now() - performance.now(),
): LateWrite[] {
  const sent = new Map<string, number[]>()
  for (const { kind, key, sentAt } of exchanges) {
    if (sentAt === undefined) continue
    const name = `${kind} ${key}`
    sent.set(name, [...(sent.get(name) ?? []), epoch + sentAt])
  }
  return writes.flatMap(write => {
    const { kind, key, committedAt } = write
    const before = (sent.get(`${kind} ${key}`) ?? []).filter(at => at <= committedAt)
    const afterMs = committedAt - Math.max(...before)
    return before.length > 0 && afterMs > deadlineMs ? [{ ...write, afterMs }] : []
  })
}
