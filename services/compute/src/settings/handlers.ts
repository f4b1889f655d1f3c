import type { compute } from '@svc/contract/compute/compute'
import type { Handlers } from '@svc/contract/core/operation'
import type { Deps } from '../deps.ts'
import { getComputeSettings } from './get-compute-settings.ts'
import { updateComputeSettings } from './update-compute-settings.ts'

export const settingsHandlers = {
  get_compute_settings: getComputeSettings,
  update_compute_settings: updateComputeSettings,
} satisfies Partial<Handlers<typeof compute, Deps>>
