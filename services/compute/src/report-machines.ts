import type { compute } from '@svc/contract/compute'
import { bareError } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'

/** What the cluster's agent counts; the settings and their etag stay as they are. */
export const reportMachines: Handler<typeof compute.operations.report_machines, Deps> = async (
  { body: { cluster_id, machines } },
  _caller,
  { sql },
) => {
  const [cluster] =
    await sql`update clusters set machines = ${machines} where id = ${cluster_id} returning id`
  if (!cluster) throw bareError('ClusterNotFoundError')
  return { body: { machines } }
}
