/** Messages take 1 to 4 ms, unless a disturbance loses them or holds them up. */
import type { Process, Simulation } from './simulation.ts'

export const messageKinds = [
  'renewal',
  'grant',
  'look-up',
  'answer',
  'question',
  'acknowledgement',
  'request',
] as const
export type MessageKind = (typeof messageKinds)[number]

/** What happens to messages of one kind, of one gateway, that are sent from `at` to `at + ms`. */
export interface Disturbance {
  readonly at: number
  readonly ms: number
  readonly gateway: number
  readonly message: MessageKind | 'all'
  /** Undefined: lost. */
  readonly delayMs: number | undefined
}

export function createNetwork(simulation: Simulation, disturbances: readonly Disturbance[]) {
  return { send }

  /** @param gateway whose message it is, in whichever direction it goes */
  function send(message: MessageKind, gateway: number, to: Process, deliver: () => void) {
    let delay = 1 + simulation.random(4)
    for (const disturbed of disturbances) {
      if (disturbed.gateway !== gateway) continue
      if (disturbed.message !== 'all' && disturbed.message !== message) continue
      if (simulation.now < disturbed.at || simulation.now > disturbed.at + disturbed.ms) continue
      if (disturbed.delayMs === undefined) return
      delay += disturbed.delayMs
    }
    simulation.on(to, simulation.now + delay, deliver)
  }
}
