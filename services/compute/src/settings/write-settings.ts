/** Changes of different clusters that arrive together are written by one statement. */
import type { Attribution } from '@svc/contract/core/actor'
import { type Asked, coalesceStatements } from '@svc/runtime/coalesce-statements'
import type { Database, Sql } from '@svc/runtime/database'
import { changesOf, manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { createTurns } from '@svc/runtime/turns'
import { newEtag, type SettingsRow, settingsColumns } from './settings.ts'

export interface SettingsChange extends Asked {
  readonly workspace: string
  readonly id: string
  readonly if_match: string
  readonly auto_scaling_enabled: boolean | null
  readonly max_machines: number | null
  readonly by: Attribution
}

export interface WriteSettingsResult extends SettingsRow {
  readonly accepted: boolean
}

/** Compares and swaps; undefined if the workspace has no such cluster. */
export type WriteSettings = (change: SettingsChange) => Promise<WriteSettingsResult | undefined>

export function createSettingsWriter(database: Database, now: () => number): WriteSettings {
  const inTurn = createTurns()
  const writeTogether = coalesceStatements<SettingsChange, WriteSettingsResult | undefined>(
    database,
    (sql, changes) => swapSettings(sql, changes, now(), skipLocked),
    { name: 'settings' },
  )
  const write: WriteSettings = async change => {
    const written = await writeTogether(change)
    if (written) return written
    // The row is held by someone, or there is none.
    const [row] = await swapSettings(database.within(change.deadline), [change], now(), waitForLocked)
    return row
  }
  return change => inTurn(`${change.workspace} ${change.id}`, change.deadline, () => write(change))
}

const settingsFields = fragment`jsonb_build_object(
  'auto_scaling', case when auto_scaling_enabled then 'active' else 'inactive' end, 'max_machines', max_machines
)`

const skipLocked = fragment`skip locked`
const waitForLocked = fragment``

/**
 * Compare-and-swap of clusters that differ, each with its result or undefined. Their rows are locked first, so that the
 * loser of a race gets the winner's etag, and in the order of their ids. A change of nothing keeps the etag; the retry of
 * one that was applied is accepted (docs/specification.md, R61).
 */
async function swapSettings(
  sql: Sql,
  changes: readonly SettingsChange[],
  now: number,
  ifLocked: Fragment,
): Promise<(WriteSettingsResult | undefined)[]> {
  const rows = await sql<WriteSettingsResult & { ordinal: number }>`/* compute.update_compute_settings */
    with wanted as (
      select * from unnest(
        ${changes.map(({ workspace }) => workspace)}::text[],
        ${changes.map(({ id }) => id)}::text[],
        ${changes.map(({ if_match }) => if_match)}::text[],
        ${changes.map(newEtag)}::text[],
        ${changes.map(({ auto_scaling_enabled }) => auto_scaling_enabled?.toString() ?? null)}::text[],
        ${changes.map(({ max_machines }) => max_machines)}::bigint[],
        ${changes.map(({ by }) => JSON.stringify(by))}::text[]
      ) with ordinality as wanted (workspace_id, id, if_match, new_etag, scaling, most, by, ordinal)
      order by id collate "C"
    ), current as (
      select c.*, ${settingsFields} as previous, ordinal, if_match, new_etag, by::json as by, new_scaling, new_most,
        (c.auto_scaling_enabled, c.max_machines) is not distinct from (new_scaling, new_most) as equal
      from wanted cross join lateral (
        select id, etag, previous_etag, auto_scaling_enabled, machines, max_machines, updated_at
        from clusters where workspace_id = wanted.workspace_id and id = wanted.id
        for no key update ${ifLocked}
      ) c cross join lateral (
        select coalesce(scaling::boolean, c.auto_scaling_enabled) as new_scaling, coalesce(most::int, c.max_machines) as new_most
      ) n
    ), changed as (
      update clusters c set
        auto_scaling_enabled = n.new_scaling,
        max_machines = n.new_most,
        previous_etag = c.etag,
        etag = n.new_etag,
        updated_at = to_timestamp(${Math.floor(now / 1000)})
      from current n
      where c.id = n.id and n.etag = n.if_match and not n.equal
      returning c.*, n.ordinal, n.by, n.previous
    ), event as (
      ${manyIntoOutbox(fragment`by`, changesOf(settingsFields))}
      id, 'events.compute_settings.updated', json_build_object(
        'workspace_id', workspace_id, 'max_machines', max_machines, 'etag', etag,
        'auto_scaling', case when auto_scaling_enabled then 'active' else 'inactive' end
      )
      from changed
    ), outcome as (
      select ordinal, true as accepted, auto_scaling_enabled, machines, max_machines, updated_at, etag from changed
      union all
      select ordinal, equal and coalesce(if_match in (etag, previous_etag), false),
        auto_scaling_enabled, machines, max_machines, updated_at, etag
      from current where equal or etag <> if_match
    )
    select ordinal, accepted, ${settingsColumns}
    from outcome`
  const results: (WriteSettingsResult | undefined)[] = changes.map(() => undefined)
  for (const { ordinal, ...result } of rows) results[ordinal - 1] = result
  return results
}
