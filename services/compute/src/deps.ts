import type { Call } from '@svc/contract/operation'
import type { Sql } from '@svc/runtime/database'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  /** Upper bound of `max_machines`. */
  readonly maxMachines: number
  readonly call: Call
}
