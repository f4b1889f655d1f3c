import type { compute } from '@svc/contract/compute'
import { bareError, refusal } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { type SettingsRow, settingsOf } from './settings.ts'

/** Of a cluster that is being deleted, too: it may stay. An agent that is shut out may be connected still. */
export const getAgentSettings: Handler<typeof compute.operations.get_agent_settings, Deps> = async (
  _input,
  { cluster, id },
  { sql, now },
) => {
  const [settings] = await sql<SettingsRow & { admitted: boolean }>`
    select auto_scaling_enabled, machines, max_machines, floor(extract(epoch from updated_at))::bigint as updated_at, etag,
      admits_agent(clusters.id, ${id}, to_timestamp(${now() / 1000})) as admitted
    from clusters where id = ${cluster}`
  if (!settings) throw bareError('ClusterNotFoundError')
  if (!settings.admitted) throw refusal('credential_invalid')
  return { body: settingsOf(settings) }
}
