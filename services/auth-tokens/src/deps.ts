import type { CallBus } from '@svc/bus/call'
import { refusal } from '@svc/contract/core/errors'
import type { Call } from '@svc/contract/core/operation'
import type { Database, Sql } from '@svc/runtime/database'
import { createEventReader, type ReadEvents } from '@svc/runtime/outbox/read-events'
import type { ReadPage } from '@svc/runtime/page-reader'
import type { Seal } from '@svc/runtime/seal'
import type { Recall } from './leases/recall.ts'
import { type RenewLease, createRenewLease } from './leases/renew-lease.ts'
import { type LookUp, createLookUp } from './credentials/look-up.ts'
import { type Passwords, createPasswords } from './credentials/passwords.ts'
import { type ApiTokenRow, createApiTokenReader } from './api-tokens/read-api-tokens.ts'
import type { RecordUse } from './credentials/record-use.ts'
import type { RefusalEvents } from './credentials/refusal-events.ts'
import { type SignJwt, createSignJwt } from './signing-keys/sign-jwt.ts'

export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly recordUse: RecordUse
  readonly refusals: Pick<RefusalEvents, 'signIn' | 'token'>
  readonly lookUp: LookUp
  readonly renewLease: RenewLease
  /**
   * Resolves when no gateway uses an answer that depends on these principals. Required of operations marked
   * `narrows`: after the change, and also if there was nothing left to change.
   */
  readonly recall: (...principals: string[]) => Promise<void>
  readonly hasRecalled: () => boolean
  readonly readApiTokens: ReadPage<ApiTokenRow>
  readonly passwords: Passwords
  readonly signJwt: SignJwt
  readonly seal: Seal
  readonly publicUrl: string
  readonly messageQueued: () => void
  /** Called after writing an event, so that it is published at once. */
  readonly eventWritten: () => void
  readonly readEvents: ReadEvents
  readonly call: Call
  readonly callBus: CallBus
}

export function createDeps(options: {
  readonly database: Database
  readonly now: () => number
  readonly recordUse: RecordUse
  readonly refusals?: Deps['refusals']
  readonly publicUrl: string
  readonly seal: Seal
  readonly messageQueued?: () => void
  readonly eventWritten?: () => void
  readonly callBus?: CallBus
  readonly recall?: Recall
}): (call: Call) => Deps {
  const {
    database,
    now,
    recordUse,
    refusals = { signIn() {}, token() {} },
    publicUrl,
    seal,
    messageQueued = () => {},
    eventWritten = () => {},
    callBus = unavailableBus,
    recall = async () => {},
  } = options
  const shared = {
    now,
    recordUse,
    refusals,
    publicUrl,
    seal,
    messageQueued,
    eventWritten,
    callBus,
    passwords: createPasswords(database.metrics),
    signJwt: createSignJwt(seal),
    lookUp: createLookUp(database),
    renewLease: createRenewLease(database),
    readApiTokens: createApiTokenReader(database, now),
    readEvents: createEventReader(database),
  }
  return call => {
    let recalled = false
    return {
      ...shared,
      call,
      hasRecalled: () => recalled,
      async recall(...principals) {
        await recall(principals, call.deadline)
        recalled = true
      },
      get sql() {
        return database.within(call.deadline)
      },
    }
  }
}

const unavailableBus: CallBus = () => Promise.reject(refusal('unavailable'))
