import type { compute } from '@svc/contract/compute/compute'
import { bareError, refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { type SettingsRow, settingsOf, settingsColumns } from '../settings/settings.ts'

/**
 * Also for a cluster that is being deleted, since the deletion may fail. An agent whose secret was revoked may
 * still be connected.
 */
export const getAgentSettings: Handler<typeof compute.operations.get_agent_settings, Deps> = async (
  _input,
  { cluster, id },
  { sql, now },
) => {
  const [settings] = await sql<SettingsRow & { admitted: boolean }>`/* compute.get_agent_settings */
    select ${settingsColumns},
      admits_agent(clusters.id, ${id}, to_timestamp(${now() / 1000})) as admitted
    from clusters where id = ${cluster}`
  if (!settings) throw bareError('ClusterNotFoundError')
  if (!settings.admitted) throw refusal('credential_invalid')
  return { body: settingsOf(settings) }
}
