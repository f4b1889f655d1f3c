import type { CallBus } from '@svc/bus/call'
import type { Call } from '@svc/contract/core/operation'
import type { Sql } from '@svc/runtime/database'
import type { ReadEvents } from '@svc/runtime/outbox/read-events'
import type { WriteSettings } from './settings/write-settings.ts'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  /** Upper bound of `max_machines`. */
  readonly maxMachines: number
  readonly writeSettings: WriteSettings
  /** Called when an event was written, so that it is published at once. */
  readonly eventWritten: () => void
  readonly readEvents: ReadEvents
  readonly call: Call
  /** Calls operations of other services. */
  readonly callBus: CallBus
}
