import type { Call } from '@svc/contract/operation'
import type { Database, Sql } from '@svc/runtime/database'
import type { ReadPage } from '@svc/runtime/page-reader'
import { type ApiTokenRow, createApiTokenReader } from './list-api-tokens.ts'
import { type LookUp, createLookUp } from './look-up.ts'
import type { RecordUse } from './record-use.ts'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly recordUse: RecordUse
  readonly lookUp: LookUp
  readonly readApiTokens: ReadPage<ApiTokenRow>
  readonly call: Call
}

export function createDeps(options: {
  readonly database: Database
  readonly now: () => number
  readonly recordUse: RecordUse
}): (call: Call) => Deps {
  const { database, now, recordUse } = options
  const shared = {
    now,
    recordUse,
    lookUp: createLookUp(database),
    readApiTokens: createApiTokenReader(database),
  }
  return call => ({
    ...shared,
    call,
    get sql() {
      return database.within(call.deadline)
    },
  })
}
