/** A step of the rehearsal, and its input. */
import type { Balancer } from './balancer.ts'
import type { Check } from './checks.ts'
import type { Fault } from './measure.ts'
import type { Product } from './product.ts'
import { gatewayHosts, type natsHosts, type ProcessHost, programOf } from './product-hosts.ts'
import type { Kind } from './traffic.ts'

/** What the clients have in flight there, see {@link Fault}. */
export interface Part extends Pick<Fault, 'gateway' | 'kinds'> {
  /** Whether the victim keeps its connections but is silent. */
  readonly silent?: boolean
}

export interface Scene {
  readonly product: Product
  readonly balancer: Balancer
  readonly quick: boolean
  /** Begins a fault. `done` resolves when it has happened, if that is later, and `over` when it has ended. */
  fault(what: string, part?: Part): { done(): void; over(): void }
  say(text: string): void
}

export interface Step {
  readonly row: string
  readonly title: string
  run(scene: Scene): Promise<void>
  /** In words, as in docs/reliability.md. */
  readonly passes: string
  /** Why it does not pass. */
  readonly problems: Check
}

/** How long a call that begins after the end of a fault may take, whatever its result: a little over 5 s. */
export const pauseMs = 5500
/** The deadline of a call plus what docs/reliability.md allows. */
export const answerMs = 5100

export type Victim = ProcessHost | (typeof natsHosts)[number]

const kinds: Record<ReturnType<typeof programOf>, readonly Kind[] | undefined> = {
  offers: ['create offer', 'list offers'],
  // Look-ups of credentials are retried, so their failures must not be visible.
  'auth-tokens': ['create token', 'revoke token'],
  compute: ['read settings', 'edit settings'],
  // It keeps events beside the requests.
  activity: [],
  gateway: undefined,
}

/** What a process serves. */
export const partOf = (host: ProcessHost): Part => ({
  gateway: gatewayHosts.find(gateway => gateway === host),
  kinds: kinds[programOf(host)],
})
