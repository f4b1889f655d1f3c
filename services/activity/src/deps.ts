import type { CallBus } from '@svc/bus/call'
import type { Call } from '@svc/contract/core/operation'
import type { TargetRules } from '@svc/outbound/check-target'
import type { Sql } from '@svc/runtime/database'
import type { Seal } from '@svc/runtime/seal'

/** What every handler of this service gets beside its input. */
export interface Deps {
  readonly sql: Sql
  /** Unix milliseconds. */
  readonly now: () => number
  /** Seals the secrets of webhook endpoints. */
  readonly seal: Seal
  /** Where webhooks may go. */
  readonly targets: TargetRules
  /** Called when an event was written, so that it is read soon. */
  readonly eventWritten: () => void
  /** Called when there is something to send. */
  readonly deliveryAdded: () => void
  readonly call: Call
  /** Calls operations of other services. */
  readonly callBus: CallBus
}
