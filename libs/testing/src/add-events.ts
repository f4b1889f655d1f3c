import type postgres from 'postgres'

interface Added {
  readonly from?: number
  readonly to: number
  readonly aggregate?: string
}

const by = { kind: 'internal', id: 'tests', name: null, credential_id: null, workspace_id: null }

/**
 * Adds events of `offers.revoked` to a workspace, all at once, with these sequences. They are as the contract says, since
 * `activity` publishes them, and other files of the run read the stream.
 */
export async function addEvents(
  sql: postgres.Sql,
  workspace: string,
  { from = 1, to, aggregate = 'offer_1' }: Added,
): Promise<void> {
  const count = to - from + 1
  await sql`
    with counter as (
      update activity.last_position set position = position + ${count} returning position - ${count} as before
    )
    insert into activity.events (
      position, workspace_id, id, type, aggregate_id, sequence, created_at, data, actor, audit_only
    )
    select before + n - ${from}::int + 1, ${workspace}, 'evt_' || right(${workspace}, 21) || lpad(n::text, 5, '0'), 'offers.revoked',
      ${aggregate}, n, now(), json_build_object('workspace_id', ${workspace}::text), ${sql.json(by)}, false
    from counter, generate_series(${from}::int, ${to}::int) n`
}
