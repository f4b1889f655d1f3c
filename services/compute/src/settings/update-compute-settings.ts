import type { compute } from '@svc/contract/compute/compute'
import { bareError, refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { intoOutbox } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { type SettingsRow, newEtag, querying, settingsReply, settingsColumns } from './settings.ts'

interface Row extends SettingsRow {
  /** The etag matched, and the settings are as requested. */
  accepted: boolean
}

/**
 * Compare-and-swap in one statement. The row is locked first, so that the loser of a race gets the winner's
 * etag. A request that changes nothing keeps the etag; the retry of one that was applied is accepted
 * (docs/specification.md, R61).
 */
export const updateComputeSettings: Handler<typeof compute.operations.update_compute_settings, Deps> = async (
  { params, headers, body },
  caller,
  { sql, now, maxMachines, eventWritten },
) => {
  const { auto_scaling_enabled = null, max_machines = null } = body
  if (max_machines !== null && max_machines > maxMachines) {
    throw refusal('invalid_body', {
      path: ['max_machines'],
      message: `max_machines must be at most ${maxMachines}.`,
    })
  }
  const [settings] = await querying(sql<Row>`/* compute.update_compute_settings */
    with current as (
      select id, etag, previous_etag, machines, auto_scaling_enabled, max_machines, updated_at,
        (auto_scaling_enabled, max_machines) is not distinct from
          (coalesce(${auto_scaling_enabled}, auto_scaling_enabled), coalesce(${max_machines}, max_machines)) as equal
      from clusters where workspace_id = ${caller.workspace} and id = ${params.id}
      for update
    ), changed as (
      update clusters c set
        auto_scaling_enabled = coalesce(${auto_scaling_enabled}, c.auto_scaling_enabled),
        max_machines = coalesce(${max_machines}, c.max_machines),
        previous_etag = c.etag,
        etag = ${newEtag()},
        updated_at = to_timestamp(${Math.floor(now() / 1000)})
      from current
      where c.id = current.id and current.etag = ${headers['if-match']} and not current.equal
      returning c.*
    ), event as (
      ${intoOutbox}
      select id, 'events.compute_settings.updated', jsonb_build_object(
        'workspace_id', workspace_id, 'max_machines', max_machines, 'etag', etag,
        'auto_scaling', case when auto_scaling_enabled then 'active' else 'inactive' end
      )
      from changed
    ), outcome as (
      select true as accepted, auto_scaling_enabled, machines, max_machines, updated_at, etag from changed
      union all
      select equal and ${headers['if-match']} in (etag, previous_etag),
        auto_scaling_enabled, machines, max_machines, updated_at, etag
      from current where not exists (select from changed)
    )
    select accepted, ${settingsColumns}
    from outcome`)
  if (!settings) throw bareError('ClusterNotFoundError')
  const { accepted, ...current } = settings
  if (!accepted) {
    throw bareError('ComputeSettingsConflictError', {
      message:
        'The settings have changed since the etag in If-Match. Read them again, and send the current etag.',
      currentEtag: current.etag,
    })
  }
  eventWritten()
  return settingsReply(current)
}
