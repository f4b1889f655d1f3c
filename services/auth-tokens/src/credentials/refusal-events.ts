/**
 * Gathers events that strangers can cause as often as they like: one event a minute for each account or token,
 * reason and address. Because they are gathered, answers take no longer for an account that exists.
 */
import { type Attribution, actorText } from '@svc/contract/core/actor'
import type { Sql } from '@svc/runtime/database'
import { manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'

export interface RefusedToken {
  readonly id: string
  readonly workspace: string
  readonly reason: string
  readonly count: number
}

export interface RefusalEvents {
  signIn(what: 'refused' | 'locked_out', user: string, by: Attribution): void
  token(refused: RefusedToken, by: Attribution): void
  /** Writes due events. @param all writes all of them. @returns whether there were any */
  flush(all?: boolean): Promise<boolean>
}

interface Counted {
  readonly aggregate: string
  readonly workspace: string | null
  readonly subject: string
  readonly reason: string | null
  readonly by: Attribution
  count: number
  writtenAt: number
}

const everyMs = 60_000
/** Further events are dropped: so many at once are noise. */
const maxGathered = 10_000

const anonymous = actorText({ kind: 'anonymous', id: 'anonymous' })

/** @param now milliseconds of a monotonic clock */
export function createRefusalEvents(
  sql: () => Sql,
  now: () => number = () => performance.now(),
): RefusalEvents {
  const gathered = new Map<string, Counted>()

  return {
    signIn(what, user, by) {
      // Many addresses at once cause one event, so that an attacker with many cannot fill the outbox.
      const who = what === 'refused' ? by.address : null
      gather(
        { aggregate: user, workspace: null, subject: `events.sign_ins.${what}`, reason: null },
        { ...by, actor: anonymous },
        who,
      )
    },
    token({ id, workspace, reason, count }, by) {
      const subject = 'events.api_tokens.refused'
      gather({ aggregate: id, workspace, subject, reason }, by, by.address, count)
    },
    async flush(all = false) {
      const due: Counted[] = []
      for (const [key, one] of gathered) {
        if (!all && now() - one.writtenAt < everyMs) continue
        if (one.count > 0) due.push(one)
        else gathered.delete(key)
      }
      if (due.length === 0) return false
      const batch = due.map(({ writtenAt, ...one }) => one)
      await write(sql(), batch)
      for (const [at, one] of due.entries()) {
        one.count -= batch[at]?.count ?? 0
        one.writtenAt = now()
      }
      return true
    },
  }

  function gather(
    what: Pick<Counted, 'aggregate' | 'workspace' | 'subject' | 'reason'>,
    by: Attribution,
    address: string | null,
    count = 1,
  ) {
    const key = `${what.subject} ${what.aggregate} ${what.reason} ${address}`
    const known = gathered.get(key)
    if (known) known.count += count
    else if (gathered.size < maxGathered) {
      gathered.set(key, { ...what, by, count, writtenAt: Number.NEGATIVE_INFINITY })
    }
  }
}

/**
 * The row is locked, so that the events of one account or token are in order. A deleted account has no event; a
 * deleted token does, since a thief may have deleted it.
 */
const write = (
  sql: Sql,
  refusals: readonly Omit<Counted, 'writtenAt'>[],
) => sql`/* auth_tokens.record_refusals */
  with refused as materialized (
    select item ->> 'aggregate' as id, item ->> 'workspace' as workspace_id, item ->> 'subject' as subject,
      item ->> 'reason' as reason, item -> 'by' as by, (item ->> 'count')::bigint as count, ordinal
    from jsonb_array_elements(${sql.json(refusals)}) with ordinality as items (item, ordinal)
  ), people as materialized (
    select id from users where id in (select id from refused) order by id for no key update
  ), tokens as materialized (
    select id from api_tokens where id in (select id from refused) order by id for no key update
  )
  ${manyIntoOutbox(fragment`by`)} id, subject, case
    when workspace_id is null then jsonb_build_object('user_id', id, 'count', count)
    else jsonb_build_object('workspace_id', workspace_id, 'reason', reason, 'count', count)
  end
  from refused left join (select * from people union all select * from tokens) found using (id)
  where workspace_id is not null or found.id is not null
  order by ordinal`
