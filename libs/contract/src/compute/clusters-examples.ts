/** Ada has a cluster, and scripts keep its limits. */
import { bareError, refusal } from '../core/errors.ts'
import { isRefused, succeeds } from '../openapi/example.ts'
import {
  absent,
  agentSecret,
  at,
  cluster,
  customerCluster,
  etags,
  install,
} from '../openapi/example-names.ts'

const inPath = { params: { id: cluster } }
const first = {
  auto_scaling: 'active',
  machines: 0,
  max_machines: 10,
  updated_at: at(5000),
  etag: etags.first,
} as const
const second = { ...first, max_machines: 25, updated_at: at(5300), etag: etags.second } as const
const theCluster = {
  id: cluster,
  name: 'production',
  created_at: at(5000),
  compute_settings: first,
  agent: { has_secret: false, last_reported_at: null },
}

export const clusters = [
  succeeds('compute', 'create_cluster', {
    summary: 'A cluster',
    by: 'owner',
    request: { body: { name: 'production' } },
    answer: { body: theCluster },
  }),
  succeeds('compute', 'list_clusters', {
    summary: 'List',
    by: 'script',
    request: {},
    answer: { body: { data: [theCluster], next_cursor: null } },
  }),
  succeeds('compute', 'get_cluster', {
    summary: 'Read',
    by: 'script',
    request: inPath,
    answer: { body: theCluster },
  }),
  isRefused('compute', 'get_cluster', {
    summary: 'Id of another workspace',
    by: 'script',
    request: { params: { id: absent('clus') } },
    refusal: bareError('ClusterNotFoundError'),
  }),
  succeeds('compute', 'list_machine_counts', {
    summary: 'The last two days',
    by: 'customer',
    request: { params: { id: customerCluster }, query: { hours: '48' } },
    answer: { body: { data: [{ at: at(), least: 3, most: 5 }] } },
  }),
  isRefused('compute', 'list_machine_counts', {
    summary: 'Id of another workspace',
    by: 'script',
    request: { params: { id: absent('clus') } },
    refusal: bareError('ClusterNotFoundError'),
  }),
  succeeds('compute', 'update_cluster', {
    summary: 'Rename',
    by: 'owner',
    request: { ...inPath, body: { name: 'production' } },
    answer: { body: theCluster },
  }),
  succeeds('compute', 'create_agent_secret', {
    summary: 'A secret for its agent',
    by: 'owner',
    request: { ...inPath, body: { grace_seconds: 3600 } },
    answer: { body: { cluster_id: cluster, secret: agentSecret, created_at: at(5100) } },
  }),
  succeeds('compute', 'revoke_agent_secret', {
    summary: 'The secret was lost',
    by: 'owner',
    request: inPath,
    answer: {},
  }),
  succeeds('compute', 'get_compute_settings', {
    summary: 'The settings with their etag',
    by: 'script',
    request: inPath,
    answer: { headers: { ETag: `"${etags.first}"` }, body: first },
  }),
  succeeds('compute', 'update_compute_settings', {
    summary: 'More machines',
    by: 'script',
    request: { ...inPath, headers: { 'if-match': etags.first }, body: { max_machines: 25 } },
    answer: { headers: { ETag: `"${etags.second}"` }, body: second },
  }),
  isRefused('compute', 'update_compute_settings', {
    summary: 'Someone else was faster: read the settings and decide again',
    by: 'script',
    request: { ...inPath, headers: { 'if-match': etags.first }, body: { auto_scaling_enabled: false } },
    refusal: bareError('ComputeSettingsConflictError', {
      message:
        'The settings have changed since the etag in If-Match. Read them again, and send the current etag.',
      currentEtag: etags.second,
    }),
  }),
  isRefused('compute', 'update_compute_settings', {
    summary: 'Without If-Match',
    by: 'script',
    request: { ...inPath, body: { max_machines: 30 } },
    refusal: refusal('invalid_header', {
      path: ['If-Match'],
      message: 'If-Match is required: send the etag of the latest compute settings.',
    }),
  }),
  isRefused('compute', 'delete_cluster', {
    summary: 'An install refers to it',
    by: 'customer',
    request: { params: { id: customerCluster } },
    refusal: refusal('in_use', {
      message: `It cannot be deleted: install ${install} refers to it.`,
      metadata: { install },
    }),
  }),
  succeeds('compute', 'delete_cluster', {
    summary: 'A cluster that nothing refers to',
    by: 'owner',
    request: inPath,
    answer: {},
  }),
]
