/** What the OpenAPI document says of clusters. */
import type { Reference } from '../openapi/operation-reference.ts'

export const clustersReference = {
  create_cluster: {
    command: { name: 'clusters create', examples: ['clusters create --name production'] },
    page: '/clusters/new',
    group: 'Clusters',
    description: 'A cluster starts with the default compute settings and without machines.',
    codes: ['key_reused', 'quota_exceeded'],
  },
  list_clusters: {
    command: {
      name: 'clusters list',
      columns: [
        'id',
        'name',
        'machines: compute_settings.machines',
        'max_machines: compute_settings.max_machines',
        'auto_scaling: compute_settings.auto_scaling',
      ],
    },
    page: '/clusters',
    group: 'Clusters',
    description: 'Newest first, with their compute settings and what is known of their agents.',
  },
  get_cluster: {
    command: 'clusters get',
    page: '/clusters/:id',
    group: 'Clusters',
    description:
      'With its compute settings, etag included, and when its agent last reported. The agent that comes with the product reports at least every two minutes.',
  },
  list_machine_counts: {
    command: {
      name: 'clusters machines',
      options: { hours: { help: 'How far back.' } },
      columns: ['hour: at', 'least', 'most'],
    },
    page: '/clusters/:id',
    group: 'Clusters',
    description:
      'For charts: the smallest and the largest number that the cluster’s agent reported in each hour of the last 30 days.',
  },
  update_cluster: {
    command: 'clusters update',
    page: '/clusters/:id/rename',
    group: 'Clusters',
    description: 'Changes only the name. The etag of the compute settings stays the same.',
  },
  delete_cluster: {
    command: 'clusters delete',
    page: '/clusters/:id/delete',
    group: 'Clusters',
    description: 'Refused while an install or an order refers to it; `metadata` names one.',
    codes: ['in_use'],
  },
  create_agent_secret: {
    command: {
      name: 'clusters agent-secret create',
      help: 'Create a new secret for the agent of a cluster; it is shown only once.',
      options: {
        grace_seconds: {
          help: 'How long the previous secret stays valid, such as 1h (default: not at all).',
        },
      },
      examples: ['clusters agent-secret create clus_01h455vb4pex5vsknk084sn02q --grace 1h'],
    },
    page: '/clusters/:id/agent-secret',
    group: 'Clusters',
    description:
      'With it an agent connects to the bus, and can read and report this cluster only. A cluster has one secret, plus the previous one for as long as you specify. It ends with the cluster.',
  },
  revoke_agent_secret: {
    command: {
      name: 'clusters agent-secret revoke',
      help: 'Revoke the secret of a cluster’s agent; it is refused from then on.',
      done: 'Revoked the agent secret of {id}.',
    },
    page: '/clusters/:id/agent-secret/revoke',
    group: 'Clusters',
    description: 'The agent is refused as soon as this call returns, until it has a new secret.',
  },
} as const satisfies Record<string, Reference>
