import type { compute } from '@svc/contract/compute/compute'
import type { Handlers } from '@svc/contract/core/operation'
import { outboxHandlers } from '@svc/runtime/outbox/read-events'
import { createAgentSecret } from './agents/create-agent-secret.ts'
import { getAgentSettings } from './agents/get-agent-settings.ts'
import { reportMachines } from './agents/report-machines.ts'
import { revokeAgentSecret } from './agents/revoke-agent-secret.ts'
import { createCluster } from './clusters/create-cluster.ts'
import { deleteCluster } from './clusters/delete-cluster.ts'
import { getCluster } from './clusters/get-cluster.ts'
import { listClusters } from './clusters/list-clusters.ts'
import { listMachineCounts } from './clusters/list-machine-counts.ts'
import { removeClosedCluster } from './clusters/remove-closed-cluster.ts'
import { updateCluster } from './clusters/update-cluster.ts'
import type { Deps } from './deps.ts'
import { listQuotas } from './quotas/list-quotas.ts'
import { setQuota } from './quotas/set-quota.ts'
import { getComputeSettings } from './settings/get-compute-settings.ts'
import { updateComputeSettings } from './settings/update-compute-settings.ts'

export const handlers: Handlers<typeof compute, Deps> = {
  create_cluster: createCluster,
  list_clusters: listClusters,
  get_cluster: getCluster,
  list_machine_counts: listMachineCounts,
  update_cluster: updateCluster,
  delete_cluster: deleteCluster,
  remove_closed_cluster: removeClosedCluster,
  get_compute_settings: getComputeSettings,
  update_compute_settings: updateComputeSettings,
  create_agent_secret: createAgentSecret,
  revoke_agent_secret: revokeAgentSecret,
  get_agent_settings: getAgentSettings,
  report_machines: reportMachines,
  set_quota: setQuota,
  list_quotas: listQuotas,
  ...outboxHandlers,
}
