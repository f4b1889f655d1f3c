/** The process full of lease holders, as the harness sees it. */
import { setTimeout as delay } from 'node:timers/promises'
import type { BusConfig } from '@svc/bus/connection'
import { type Child, startChild } from './child.ts'

export interface FleetState {
  readonly holders: number
  /** How many of them may use what they cache. */
  readonly valid: number
  /** What they logged since the last time, such as failed renewals, and how often. */
  readonly warnings: Readonly<Record<string, number>>
  /** How many grants began anew since the last time. */
  readonly regrants: number
}

export interface Fleet extends Pick<Child, 'pid' | 'failure' | 'close'> {
  grow(to: number): Promise<void>
  kill(count: number): Promise<void>
  /** One more holder, which acknowledges after a second. */
  slowDown(): Promise<void>
  recover(): Promise<void>
  /** Begins it. */
  replaceAll(overMs: number): Promise<void>
  replaced(): Promise<void>
  state(): Promise<FleetState>
}

export async function startFleet(bus: BusConfig): Promise<Fleet> {
  const { ask, ...child } = await startChild('fleet-process')
  await ask('connect', bus)
  return {
    ...child,
    async grow(to) {
      while ((await ask<number>('grow', to)) < to);
    },
    kill: count => ask('kill', count),
    slowDown: () => ask('slowDown'),
    recover: () => ask('recover'),
    replaceAll: overMs => ask('replaceAll', overMs),
    async replaced() {
      while (!(await ask<boolean>('isReplaced'))) await delay(100)
    },
    state: () => ask('state'),
  }
}
