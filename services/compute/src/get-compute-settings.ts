import type { compute } from '@svc/contract/compute'
import { bareError } from '@svc/contract/errors'
import type { Handler } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { type SettingsRow, querying, settingsReply } from './settings.ts'

export const getComputeSettings: Handler<typeof compute.operations.get_compute_settings, Deps> = async (
  { params },
  caller,
  { sql },
) => {
  const [settings] = await querying(sql<SettingsRow>`
    select auto_scaling_enabled, machines, max_machines, floor(extract(epoch from updated_at))::bigint as updated_at, etag
    from clusters where workspace_id = ${caller.workspace} and id = ${params.id}`)
  if (!settings) throw bareError('ClusterNotFoundError')
  return settingsReply(settings)
}
