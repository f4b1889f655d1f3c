import type { ServiceDeps } from '@svc/runtime/service-deps'
import type { WriteSettings } from './settings/write-settings.ts'

export interface Deps extends ServiceDeps {
  readonly maxMachines: number
  readonly writeSettings: WriteSettings
}
