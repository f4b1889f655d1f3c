// Written by `npm run generate`.
import { operation as create_cluster } from './clusters/create-cluster.ts'
import { operation as list_clusters } from './clusters/list-clusters.ts'
import { operation as get_cluster } from './clusters/get-cluster.ts'
import { operation as list_machine_counts } from './clusters/list-machine-counts.ts'
import { operation as update_cluster } from './clusters/update-cluster.ts'
import { operation as create_agent_secret } from './clusters/create-agent-secret.ts'
import { operation as revoke_agent_secret } from './clusters/revoke-agent-secret.ts'
import { operation as delete_cluster } from './clusters/delete-cluster.ts'
import { operation as get_compute_settings } from './compute-settings/get-compute-settings.ts'
import { operation as update_compute_settings } from './compute-settings/update-compute-settings.ts'

export const httpOperations = {
  create_cluster,
  list_clusters,
  get_cluster,
  list_machine_counts,
  update_cluster,
  create_agent_secret,
  revoke_agent_secret,
  delete_cluster,
  get_compute_settings,
  update_compute_settings,
}
