import type { compute } from '@svc/contract/compute/compute'
import { bareError, refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'

/** What the cluster's agent counts; the settings and their etag stay as they are. */
export const reportMachines: Handler<typeof compute.operations.report_machines, Deps> = async (
  { body: { machines } },
  { cluster, id },
  { sql, now },
) => {
  const [found] = await sql<{ admitted: boolean }>`/* compute.report_machines */
    with found as (
      select id, admits_agent(id, ${id}, to_timestamp(${now() / 1000})) as admitted from clusters where id = ${cluster}
    ), reported as (
      update clusters c set machines = ${machines} from found where c.id = found.id and found.admitted
    )
    select admitted from found`
  if (!found) throw bareError('ClusterNotFoundError')
  if (!found.admitted) throw refusal('credential_invalid')
  return { body: { machines } }
}
