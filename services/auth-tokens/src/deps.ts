import type { Call } from '@svc/contract/core/operation'
import type { ReadPage } from '@svc/runtime/page-reader'
import type { TrustedWorkload } from '@svc/runtime/trusted-workloads'
import type { Seal } from '@svc/runtime/seal'
import { createServiceDeps, type ServiceDeps, type ServiceDepsOptions } from '@svc/runtime/service-deps'
import type { Recall } from './leases/recall.ts'
import { type RenewLease, createRenewLease } from './leases/renew-lease.ts'
import { type LookUp, createLookUp } from './credentials/look-up.ts'
import { type Passwords, createPasswords } from './credentials/passwords.ts'
import { type ApiTokenRow, createApiTokenReader } from './api-tokens/read-api-tokens.ts'
import type { RecordUse } from './credentials/record-use.ts'
import type { RefusalEvents } from './credentials/refusal-events.ts'
import { type SignJwt, createSignJwt } from './signing-keys/sign-jwt.ts'

export interface Deps extends ServiceDeps {
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
  readonly workloads: readonly TrustedWorkload[]
  readonly messageQueued: () => void
}

type Needed = 'now' | 'recordUse' | 'publicUrl' | 'seal'

interface DepsOptions extends Omit<ServiceDepsOptions, 'now'>, Pick<Deps, Needed> {
  readonly refusals?: Deps['refusals']
  readonly workloads?: Deps['workloads']
  readonly messageQueued?: () => void
  readonly recall?: Recall
}

export function createDeps(options: DepsOptions): (call: Call) => Deps {
  const { database, now, recordUse, publicUrl, seal, recall = async () => {} } = options
  const { refusals = { signIn() {}, token() {} }, messageQueued = () => {}, workloads = [] } = options
  const serviceDeps = createServiceDeps(options)
  const own = {
    recordUse,
    refusals,
    publicUrl,
    workloads,
    seal,
    messageQueued,
    passwords: createPasswords(database.metrics),
    signJwt: createSignJwt(seal),
    lookUp: createLookUp(database),
    renewLease: createRenewLease(database),
    readApiTokens: createApiTokenReader(database, now),
  }
  return call => {
    let recalled = false
    return {
      ...serviceDeps(call),
      ...own,
      hasRecalled: () => recalled,
      async recall(...principals) {
        await recall(principals, call.deadline)
        recalled = true
      },
    }
  }
}
