import type { Call } from '@svc/contract/operation'
import type { Sql } from '@svc/runtime/database'
import type { RecordUse } from './record-use.ts'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly recordUse: RecordUse
  readonly call: Call
}
