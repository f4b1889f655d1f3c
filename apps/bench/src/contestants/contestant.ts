/** Something that is measured in turn. */
import type { Measured, WindowPlan } from '../load/window.ts'
import type { Workload } from '../load/workloads.ts'

export interface Contestant {
  readonly name: string
  readonly label: string
  readonly workloads: readonly Workload[]
  /** A floor does less than the work. */
  readonly floor: boolean
  /** Whether its processes keep running between windows, and get faster with use. */
  readonly lasting: boolean
  /** Restores its initial state. */
  reset(): Promise<void>
  measure(plan: WindowPlan): Promise<Measured>
}

export const productName = 'product'
/** The product with one and with two of each service. */
export const oneReplica = 'one-replica'
export const twoReplicas = 'two-replicas'
/** The product under a steady load, without and with revocations of other tokens. */
export const calm = 'calm'
export const revoking = 'revoking'
/** The product under a load of new offers, without and with webhooks that tell of them, and with those beside an abuser's. */
export const quiet = 'quiet'
export const telling = 'telling'
export const abused = 'abused'
