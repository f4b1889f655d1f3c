import type { compute } from '@svc/contract/compute'
import type { Handlers } from '@svc/contract/operation'
import { createAgentSecret } from './create-agent-secret.ts'
import { createCluster } from './create-cluster.ts'
import { deleteCluster } from './delete-cluster.ts'
import type { Deps } from './deps.ts'
import { getAgentSettings } from './get-agent-settings.ts'
import { getCluster } from './get-cluster.ts'
import { getComputeSettings } from './get-compute-settings.ts'
import { listClusters } from './list-clusters.ts'
import { putCluster } from './put-cluster.ts'
import { removeClosedCluster } from './remove-closed-cluster.ts'
import { reportMachines } from './report-machines.ts'
import { revokeAgentSecret } from './revoke-agent-secret.ts'
import { updateCluster } from './update-cluster.ts'
import { updateComputeSettings } from './update-compute-settings.ts'
import { listQuotas } from './list-quotas.ts'
import { setQuota } from './set-quota.ts'

export const handlers: Handlers<typeof compute, Deps> = {
  create_cluster: createCluster,
  list_clusters: listClusters,
  get_cluster: getCluster,
  update_cluster: updateCluster,
  delete_cluster: deleteCluster,
  get_compute_settings: getComputeSettings,
  update_compute_settings: updateComputeSettings,
  put_cluster: putCluster,
  remove_closed_cluster: removeClosedCluster,
  create_agent_secret: createAgentSecret,
  revoke_agent_secret: revokeAgentSecret,
  get_agent_settings: getAgentSettings,
  report_machines: reportMachines,
  set_quota: setQuota,
  list_quotas: listQuotas,
}
