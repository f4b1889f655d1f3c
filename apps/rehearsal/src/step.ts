/** What a step of the rehearsal is, and what it is given. */
import type { Balancer } from './balancer.ts'
import type { Check } from './checks.ts'
import type { Fault } from './measure.ts'
import type { Product } from './product.ts'
import { gatewayHosts, type natsHosts, type ProcessHost, programOf } from './product-hosts.ts'
import type { Kind } from './traffic.ts'

/** What the clients have in flight there, see {@link Fault}. */
export interface Part extends Pick<Fault, 'gateway' | 'kinds'> {
  /** Whether the victim keeps its connections and says nothing. */
  readonly silent?: boolean
}

export interface Scene {
  readonly product: Product
  readonly balancer: Balancer
  readonly quick: boolean
  /** Begins a fault; `done` when it has happened, where that is later, and `over` when it does not last any more. */
  fault(what: string, part?: Part): { done(): void; over(): void }
  say(text: string): void
}

export interface Step {
  readonly row: string
  readonly title: string
  run(scene: Scene): Promise<void>
  /** In words, as in reliability.md. */
  readonly passes: string
  /** What keeps it from passing. */
  readonly problems: Check
}

/** A call that begins after a fault has ended, whatever becomes of it: 5 s, and some. */
export const pauseMs = 5500
/** The deadline of a call and what reliability.md allows. */
export const answerMs = 5100

export type Victim = ProcessHost | (typeof natsHosts)[number]

const kinds: Record<ReturnType<typeof programOf>, readonly Kind[] | undefined> = {
  offers: ['create offer', 'list offers'],
  // Look-ups of credentials are asked again, and must not be seen.
  'auth-tokens': ['create token', 'revoke token'],
  compute: ['read settings', 'edit settings'],
  gateway: undefined,
}

/** What a process serves. */
export const partOf = (host: ProcessHost): Part => ({
  gateway: gatewayHosts.find(gateway => gateway === host),
  kinds: kinds[programOf(host)],
})
