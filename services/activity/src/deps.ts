import type { Sql } from '@svc/runtime/database'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
}
