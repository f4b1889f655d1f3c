import type { CallBus } from '@svc/bus/call'
import type { Call } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import type { ReadEvents } from '@svc/runtime/outbox/read-events'
import type { WriteSettings } from './settings/write-settings.ts'

export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly maxMachines: number
  readonly writeSettings: WriteSettings
  readonly eventWritten: () => void
  readonly readEvents: ReadEvents
  readonly call: Call
  readonly callBus: CallBus
}
