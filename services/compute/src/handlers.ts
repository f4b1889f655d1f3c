// Written by `npm run generate`.
import type { compute } from '@svc/contract/compute/compute'
import type { Handlers } from '@svc/contract/core/operation'
import { commonHandlers } from '@svc/runtime/common-handlers'
import type { Deps } from './deps.ts'
import { createAgentSecret } from './agents/create-agent-secret.ts'
import { getAgentSettings } from './agents/get-agent-settings.ts'
import { reportMachines } from './agents/report-machines.ts'
import { revokeAgentSecret } from './agents/revoke-agent-secret.ts'
import { createCluster } from './clusters/create-cluster.ts'
import { deleteCluster } from './clusters/delete-cluster.ts'
import { findNames } from './clusters/find-names.ts'
import { getCluster } from './clusters/get-cluster.ts'
import { listClusters } from './clusters/list-clusters.ts'
import { listMachineCounts } from './clusters/list-machine-counts.ts'
import { listMatches } from './clusters/list-matches.ts'
import { removeClosedCluster } from './clusters/remove-closed-cluster.ts'
import { updateCluster } from './clusters/update-cluster.ts'
import { getComputeSettings } from './settings/get-compute-settings.ts'
import { updateComputeSettings } from './settings/update-compute-settings.ts'

export const handlers: Handlers<typeof compute, Deps> = {
  ...commonHandlers('compute'),
  create_agent_secret: createAgentSecret,
  get_agent_settings: getAgentSettings,
  report_machines: reportMachines,
  revoke_agent_secret: revokeAgentSecret,
  create_cluster: createCluster,
  delete_cluster: deleteCluster,
  find_names: findNames,
  get_cluster: getCluster,
  list_clusters: listClusters,
  list_machine_counts: listMachineCounts,
  list_matches: listMatches,
  remove_closed_cluster: removeClosedCluster,
  update_cluster: updateCluster,
  get_compute_settings: getComputeSettings,
  update_compute_settings: updateComputeSettings,
}
