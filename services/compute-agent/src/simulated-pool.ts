import type { Limits, Pool } from './pool.ts'

export interface SimulatedPoolOptions {
  readonly initial: () => Promise<number>
  readonly stepMs: number
}

/**
 * Machines that are only numbers. There is always work for more, so with auto-scaling they soon reach the
 * maximum; they start and stop one by one.
 */
export function createSimulatedPool({ initial, stepMs }: SimulatedPoolOptions): Pool {
  let machines: number | undefined
  let limits: Limits | undefined
  let stepping: NodeJS.Timeout | undefined
  let changed = () => {}
  return {
    async read() {
      machines ??= await initial()
      return { machines }
    },
    async apply(wanted) {
      machines ??= await initial()
      limits = wanted
      stepping ??= arm()
    },
    watch(onChange) {
      changed = onChange
      return () => {
        changed = () => {}
        clearTimeout(stepping)
      }
    },
  }

  function arm() {
    return distance() === 0 ? undefined : setTimeout(step, stepMs)
  }

  function step() {
    machines = (machines ?? 0) + Math.sign(distance())
    stepping = arm()
    changed()
  }

  function distance(): number {
    if (machines === undefined || !limits) return 0
    const { auto_scaling, max_machines } = limits
    return (auto_scaling === 'active' ? max_machines : Math.min(machines, max_machines)) - machines
  }
}
