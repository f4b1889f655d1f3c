/** What the OpenAPI document says of clusters. */
import type { Reference } from '../openapi/operation-reference.ts'

export const clustersReference = {
  create_cluster: {
    group: 'Clusters',
    description: 'A cluster starts with the default compute settings and without machines.',
    codes: ['key_reused', 'quota_exceeded'],
  },
  list_clusters: {
    group: 'Clusters',
    description: 'Newest first, with their compute settings and what is known of their agents.',
  },
  get_cluster: {
    group: 'Clusters',
    description:
      'With its compute settings, etag included, and when its agent last reported. The agent that comes with the product reports at least every two minutes.',
  },
  list_machine_counts: {
    group: 'Clusters',
    description:
      'For charts: the smallest and the largest number that the cluster’s agent reported in each hour of the last 30 days.',
  },
  update_cluster: {
    group: 'Clusters',
    description: 'Changes only the name. The etag of the compute settings stays the same.',
  },
  delete_cluster: {
    group: 'Clusters',
    description: 'Refused while an install or an order refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_agent_secret: {
    group: 'Clusters',
    description:
      'With it an agent connects to the bus, and can read and report this cluster only. A cluster has one secret, plus the previous one for as long as you specify. It ends with the cluster.',
  },
  revoke_agent_secret: {
    group: 'Clusters',
    description: 'The agent is refused as soon as this call returns, until it has a new secret.',
  },
} as const satisfies Record<string, Reference>
