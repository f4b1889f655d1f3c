import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { createSimulatedPool } from '../src/simulated-pool.ts'

test('machines of a simulated pool start and stop one by one', () =>
  onOwnClock(async clock => {
    const pool = createSimulatedPool({ initial: async () => 3, stepMs: 20 })
    const seen: number[] = []
    const end = pool.watch(() => void pool.read().then(({ machines }) => seen.push(machines)))
    for (const max_machines of [6, 2]) {
      await pool.apply({ auto_scaling: 'active', min_machines: 0, max_machines })
      await clock.tickAsync(1000)
    }
    end()
    expect(seen).toEqual([4, 5, 6, 5, 4, 3, 2])
  }))
