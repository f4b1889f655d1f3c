import type { compute } from '@svc/contract/compute'
import { bareError } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { type SettingsRow, settingsOf } from './settings.ts'

/** Of a cluster that is being deleted, too: it may stay. */
export const getAgentSettings: Handler<typeof compute.operations.get_agent_settings, Deps> = async (
  { body: { cluster_id } },
  _caller,
  { sql },
) => {
  const [settings] = await sql<SettingsRow>`
    select auto_scaling_enabled, machines, max_machines, floor(extract(epoch from updated_at))::bigint as updated_at, etag
    from clusters where id = ${cluster_id}`
  if (!settings) throw bareError('ClusterNotFoundError')
  return { body: settingsOf(settings) }
}
