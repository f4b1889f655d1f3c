import type { TargetRules } from '@svc/outbound/check-target'
import type { Seal } from '@svc/runtime/seal'
import type { ServiceDeps } from '@svc/runtime/service-deps'

export interface Deps extends ServiceDeps {
  readonly seal: Seal
  readonly targets: TargetRules
  readonly deliveryAdded: () => void
}
