import type { compute } from '@svc/contract/compute/compute'
import { bareError } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { hourOf, hourSeconds } from './hour.ts'

interface CountRow {
  at: number | null
  least: number
  most: number
}

export const listMachineCounts: Handler<typeof compute.operations.list_machine_counts, Deps> = async (
  { params: { id }, query: { hours } },
  { workspace },
  { sql, now },
) => {
  const first = hourOf(now()) - (hours - 1) * hourSeconds
  const rows = await sql<CountRow>`/* compute.list_machine_counts */
    select unix_seconds(m.hour) as at, m.least, m.most
    from clusters c left join machine_counts m on m.cluster_id = c.id and m.hour >= to_timestamp(${first})
    where c.workspace_id = ${workspace} and c.id = ${id}
    order by m.hour`
  if (rows.length === 0) throw bareError('ClusterNotFoundError')
  // One row without an hour: the cluster exists, and has reported nothing.
  return { body: { data: rows.flatMap(({ at, least, most }) => (at === null ? [] : [{ at, least, most }])) } }
}
