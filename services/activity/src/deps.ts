import type { CallBus } from '@svc/bus/call'
import type { Call } from '@svc/contract/core/operation'
import type { TargetRules } from '@svc/outbound/check-target'
import type { Sql } from '@svc/runtime/database'
import type { Seal } from '@svc/runtime/seal'

export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  readonly seal: Seal
  readonly targets: TargetRules
  readonly eventWritten: () => void
  readonly deliveryAdded: () => void
  readonly call: Call
  readonly callBus: CallBus
}
