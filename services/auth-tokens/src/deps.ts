import type { CallBus } from '@svc/bus/call'
import { refusal } from '@svc/contract/errors'
import type { Call } from '@svc/contract/operation'
import type { Database, Sql } from '@svc/runtime/database'
import type { ReadPage } from '@svc/runtime/page-reader'
import type { Seal } from '@svc/runtime/seal'
import { type ApiTokenRow, createApiTokenReader } from './list-api-tokens.ts'
import { type LookUp, createLookUp } from './look-up.ts'
import { type Passwords, createPasswords } from './passwords.ts'
import type { RecordUse } from './record-use.ts'
import { type SignJwt, createSignJwt } from './sign-jwt.ts'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly recordUse: RecordUse
  readonly lookUp: LookUp
  readonly readApiTokens: ReadPage<ApiTokenRow>
  readonly passwords: Passwords
  readonly signJwt: SignJwt
  readonly seal: Seal
  /** The address that people and clients know the product by, without a slash at the end. */
  readonly publicUrl: string
  /** Called when a message was queued, so that it is sent at once. */
  readonly messageQueued: () => void
  /** Called when an event was written, so that it is published at once. */
  readonly eventWritten: () => void
  readonly call: Call
  /** Asks other services. */
  readonly callBus: CallBus
}

export function createDeps(options: {
  readonly database: Database
  readonly now: () => number
  readonly recordUse: RecordUse
  readonly publicUrl: string
  readonly seal: Seal
  readonly messageQueued?: () => void
  readonly eventWritten?: () => void
  readonly callBus?: CallBus
}): (call: Call) => Deps {
  const {
    database,
    now,
    recordUse,
    publicUrl,
    seal,
    messageQueued = () => {},
    eventWritten = () => {},
    callBus = alone,
  } = options
  const shared = {
    now,
    recordUse,
    publicUrl,
    seal,
    messageQueued,
    eventWritten,
    callBus,
    passwords: createPasswords(database.metrics),
    signJwt: createSignJwt(seal),
    lookUp: createLookUp(database),
    readApiTokens: createApiTokenReader(database, now),
  }
  return call => ({
    ...shared,
    call,
    get sql() {
      return database.within(call.deadline)
    },
  })
}

/** Without a bus there is nobody to ask. */
const alone: CallBus = () => Promise.reject(refusal('unavailable'))
