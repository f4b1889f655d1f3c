import { at, cluster, etags } from '../openapi/example-names.ts'

export const inPath = { params: { id: cluster } }
export const first = {
  auto_scaling: 'active',
  machines: 0,
  max_machines: 10,
  updated_at: at(5000),
  etag: etags.first,
} as const
export const second = { ...first, max_machines: 25, updated_at: at(5300), etag: etags.second } as const
export const theCluster = {
  id: cluster,
  name: 'production',
  created_at: at(5000),
  compute_settings: first,
  agent: { has_secret: false, last_reported_at: null },
}
