import { keptHours } from '@svc/contract/compute/clusters'
import type { compute } from '@svc/contract/compute/compute'
import { bareError, refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { hourOf, hourSeconds } from '../clusters/hour.ts'
import type { Deps } from '../deps.ts'

/** An unchanged number is written at most this often. */
export const sameAgainSeconds = 10

/**
 * Stores the agent's count; the settings and their etag stay as they are. The row of the cluster is locked, so
 * reports and deletions come one after the other. Old counts are removed when a new hour begins, without a job of
 * their own.
 */
export const reportMachines: Handler<typeof compute.operations.report_machines, Deps> = async (
  { body: { machines } },
  { cluster, id },
  { sql, now },
) => {
  const at = Math.floor(now() / 1000)
  const hour = hourOf(now())
  const [found] = await sql<{ admitted: boolean }>`/* compute.report_machines */
    with found as materialized (
      select id, admits_agent(id, ${id}, to_timestamp(${now() / 1000})) as admitted,
        coalesce(reported_at < to_timestamp(${hour}), true) as begins_hour
      from clusters where id = ${cluster}
    ), reported as (
      update clusters c set machines = ${machines}, reported_at = greatest(c.reported_at, to_timestamp(${at}))
      from found
      where c.id = found.id and found.admitted
        and (c.machines <> ${machines} or found.begins_hour or c.reported_at <= to_timestamp(${at - sameAgainSeconds}))
      returning c.id, found.begins_hour
    ), counted as (
      insert into machine_counts as m (cluster_id, hour, least, most)
      select id, to_timestamp(${hour}), ${machines}, ${machines} from reported
      where (
        select least <= ${machines} and most >= ${machines} from machine_counts
        where cluster_id = ${cluster} and hour = to_timestamp(${hour})
      ) is not true
      on conflict (cluster_id, hour) do update set
        least = least(m.least, excluded.least), most = greatest(m.most, excluded.most)
    ), removed as (
      delete from machine_counts
      where cluster_id = (select id from reported where begins_hour)
        and hour <= to_timestamp(${hour - keptHours * hourSeconds})
    )
    select admitted from found`
  if (!found) throw bareError('ClusterNotFoundError')
  if (!found.admitted) throw refusal('credential_invalid')
  return { body: { machines } }
}
