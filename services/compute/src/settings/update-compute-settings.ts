import type { compute } from '@svc/contract/compute/compute'
import { bareError, refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { querying, settingsReply } from './settings.ts'

export const updateComputeSettings: Handler<typeof compute.operations.update_compute_settings, Deps> = async (
  { params: { id }, headers, body },
  { workspace },
  { writeSettings, maxMachines, eventWritten, call: { deadline, by } },
) => {
  const { auto_scaling_enabled = null, max_machines = null } = body
  if (max_machines !== null && max_machines > maxMachines) {
    throw refusal('invalid_body', {
      path: ['max_machines'],
      message: `max_machines must be at most ${maxMachines}.`,
    })
  }
  const if_match = headers['if-match']
  const change = { workspace, id, if_match, auto_scaling_enabled, max_machines, deadline, by }
  const settings = await querying(writeSettings(change))
  if (!settings) throw bareError('ClusterNotFoundError')
  if (!settings.accepted) {
    throw bareError('ComputeSettingsConflictError', {
      message:
        'The settings have changed since the etag in If-Match. Read them again, and send the current etag.',
      currentEtag: settings.etag,
    })
  }
  eventWritten()
  return settingsReply(settings)
}
