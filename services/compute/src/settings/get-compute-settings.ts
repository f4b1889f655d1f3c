import type { compute } from '@svc/contract/compute/compute'
import { bareError } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { type SettingsRow, querying, settingsReply, settingsColumns } from './settings.ts'

export const getComputeSettings: Handler<typeof compute.operations.get_compute_settings, Deps> = async (
  { params },
  caller,
  { sql },
) => {
  const [settings] = await querying(sql<SettingsRow>`/* compute.get_compute_settings */
    select ${settingsColumns}
    from clusters where workspace_id = ${caller.workspace} and id = ${params.id}`)
  if (!settings) throw bareError('ClusterNotFoundError')
  return settingsReply(settings)
}
