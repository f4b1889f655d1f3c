import type { Call } from '@svc/contract/operation'
import type { Sql } from '@svc/runtime/database'
import type { InputSchemas } from './input-schema/input-schemas.ts'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly schemas: InputSchemas
  readonly call: Call
}
