import type { compute } from '@svc/contract/compute'
import type { Handlers } from '@svc/contract/operation'
import type { Deps } from './deps.ts'
import { getComputeSettings } from './get-compute-settings.ts'
import { putCluster } from './put-cluster.ts'
import { reportMachines } from './report-machines.ts'
import { updateComputeSettings } from './update-compute-settings.ts'

export const handlers: Handlers<typeof compute, Deps> = {
  get_compute_settings: getComputeSettings,
  update_compute_settings: updateComputeSettings,
  put_cluster: putCluster,
  report_machines: reportMachines,
}
