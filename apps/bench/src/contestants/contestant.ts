/** Something that is measured in turn. */
import type { Measured, WindowPlan } from '../load/window.ts'

export interface Contestant {
  readonly name: string
  /** Restores its initial state. */
  reset(): Promise<void>
  measure(plan: WindowPlan): Promise<Measured>
}

export const productName = 'product'
/** PostgreSQL's own load generator with the same insert as one statement: a floor, which does less than the work. */
export const pgbenchName = 'pgbench'
/** The product with an API token that has permissions, in place of one that may what a member may. */
export const restricted = 'restricted'
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
/** What a request cannot do without, each bare and by itself. */
export const bareHttp = 'bare-fastify'
export const bareBus = 'bare-nats'
export const bareStatement = 'bare-statement'
