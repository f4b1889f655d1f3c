import { bareError, refusal } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { expect, onTestFinished, test } from 'vitest'
import { holdPool } from '../src/hold-pool.ts'
import type { Limits, Pool } from '../src/pool.ts'

interface SceneOptions {
  everyMs?: number
  minMachines?: number
  reportAgainMs?: number
  settingsFail?: Error
}

/** A cluster, its pool, and who holds it; what fails is set by the test. */
function scene({ everyMs = 600_000, minMachines = 0, reportAgainMs, settingsFail }: SceneOptions = {}) {
  const world = {
    settings: {
      auto_scaling: 'active' as Limits['auto_scaling'],
      machines: 0,
      max_machines: 5,
      updated_at: 1,
      etag: 'e',
    },
    machines: 0,
    applied: [] as Limits[],
    reported: [] as number[],
    said: [] as string[],
    settingsFail,
    poolFails: undefined as Error | undefined,
    applyFails: undefined as Error | undefined,
    reportFails: undefined as Error | undefined,
    reads: 0,
    change: () => {},
  }
  const pool: Pool = {
    async read() {
      if (world.poolFails) throw world.poolFails
      return { machines: world.machines }
    },
    async apply(limits) {
      if (world.applyFails) throw world.applyFails
      world.applied.push(limits)
    },
    watch(onChange) {
      world.change = onChange
      return () => {
        world.change = () => {}
      }
    },
  }
  const note = (_fields: object, message: string) => void world.said.push(message)
  const held = holdPool({
    pool,
    async settings() {
      world.reads++
      if (world.settingsFail) throw world.settingsFail
      return { ...world.settings }
    },
    async report(machines) {
      if (world.reportFails) throw world.reportFails
      world.settings.machines = machines
      world.reported.push(machines)
    },
    minMachines,
    everyMs,
    ...(reportAgainMs !== undefined && { reportAgainMs }),
    log: { info: note, warn: note, error: note },
  })
  onTestFinished(() => held.stop())
  return { world, held }
}

test('holds at once, when it is woken, and when the pool changes', async () => {
  const { world, held } = scene()
  await waitUntil('the first', () => world.applied.length === 1)
  expect(world.applied).toEqual([{ auto_scaling: 'active', max_machines: 5, min_machines: 0 }])
  world.settings = { ...world.settings, auto_scaling: 'inactive', max_machines: 3 }
  held.wake()
  await waitUntil('the second', () => world.applied.length === 2)
  expect(world.applied[1]).toEqual({ auto_scaling: 'inactive', max_machines: 3, min_machines: 0 })
  world.machines = 2
  world.change()
  await waitUntil('the report', () => world.reported.length === 1)
  expect(world.reported).toEqual([2])
})

test('compares again by itself, and reports nothing that is known', async () => {
  const { world } = scene({ everyMs: 5 })
  await waitUntil('ten times', () => world.applied.length >= 10)
  expect([world.reported, world.said]).toEqual([[], []])
  // A report that was overtaken by another agent's.
  world.settings.machines = 9
  await waitUntil('the report', () => world.reported.length === 1)
  expect(world.reported).toEqual([0])
})

test('reports a number that is known at the start, and again and again', async () => {
  const { world } = scene({ everyMs: 5, reportAgainMs: 0 })
  await waitUntil('the reports', () => world.reported.length >= 5)
  expect(new Set(world.reported)).toEqual(new Set([0]))
  const seldom = scene({ everyMs: 5, reportAgainMs: 3_600_000 })
  await waitUntil('ten times', () => seldom.world.applied.length >= 10)
  expect(seldom.world.reported).toEqual([0])
})

test('many that wake it at once are one; a wake-up that comes meanwhile counts', async () => {
  const { world, held } = scene()
  for (let times = 0; times < 100; times++) held.wake()
  await waitUntil('the first', () => world.applied.length >= 1)
  await waitUntil('the second', () => world.applied.length === 2)
  held.wake()
  await waitUntil('the third', () => world.applied.length === 3)
  expect(world.reads).toBe(3)
})

test('the least is never more than the most', async () => {
  const { world, held } = scene({ minMachines: 8 })
  await waitUntil('the first', () => world.applied.length === 1)
  world.settings.max_machines = 12
  held.wake()
  await waitUntil('the second', () => world.applied.length === 2)
  expect(world.applied.map(({ min_machines }) => min_machines)).toEqual([5, 8])
})

test('without the service the pool is held to what was known last, without reports', async () => {
  const { world, held } = scene()
  await waitUntil('the first', () => world.applied.length === 1)
  world.settingsFail = refusal('unavailable')
  world.settings.max_machines = 2
  world.machines = 4
  held.wake()
  await waitUntil('the second', () => world.applied.length >= 2)
  expect(world.applied[1]?.max_machines).toBe(5)
  expect(world.reported).toEqual([])
  world.settingsFail = undefined
  // Nobody wakes it: it tries again by itself.
  await waitUntil('the recovery', () => world.applied.at(-1)?.max_machines === 2)
  expect(world.reported).toEqual([4])
  expect(world.said).toEqual(['the pool does not follow its settings', 'the pool follows its settings again'])
})

test('before the service was reached once the pool is not touched', async () => {
  const { world } = scene({ everyMs: 5, settingsFail: refusal('unavailable') })
  await waitUntil('the attempts', () => world.reads > 5)
  expect(world.applied).toEqual([])
})

test('the pool of a cluster that is gone is not touched any more', async () => {
  const { world } = scene({ everyMs: 5 })
  await waitUntil('the first', () => world.applied.length > 0)
  world.settingsFail = bareError('ClusterNotFoundError')
  await waitUntil('the report', () => world.said.length > 0)
  const [applied, reads] = [world.applied.length, world.reads]
  await waitUntil('more attempts', () => world.reads > reads + 5)
  expect(world.applied).toHaveLength(applied)
})

test('a pool that cannot be read is tried again, and said once', async () => {
  const { world, held } = scene({ everyMs: 5 })
  await waitUntil('the first', () => world.applied.length > 0)
  world.poolFails = new Error('away')
  const reads = world.reads
  await waitUntil('the attempts', () => world.reads > reads + 10)
  expect(world.said).toEqual(['the pool does not follow its settings'])
  world.poolFails = undefined
  await waitUntil('the end', () => world.said.length === 2)
  await held.stop()
  const after = world.reads
  held.wake()
  expect(world.reads).toBe(after)
})

test('a pool that cannot be changed is reported all the same', async () => {
  const { world } = scene({ everyMs: 5 })
  await waitUntil('the first', () => world.applied.length > 0)
  world.applyFails = new Error('forbidden')
  world.machines = 3
  await waitUntil('the report', () => world.reported.length === 1)
  await waitUntil('the trouble', () => world.said.length === 1)
  expect(world.reported).toEqual([3])
  expect(world.said).toEqual(['the pool does not follow its settings'])
})

test('a report that fails does not keep the pool from being held, and is made up for', async () => {
  const { world } = scene({ everyMs: 5 })
  await waitUntil('the first', () => world.applied.length > 0)
  world.reportFails = refusal('unavailable')
  world.machines = 3
  world.settings.max_machines = 2
  await waitUntil('the pool', () => world.applied.at(-1)?.max_machines === 2)
  await waitUntil('the trouble', () => world.said.length === 1)
  expect(world.reported).toEqual([])
  world.reportFails = undefined
  await waitUntil('the report', () => world.reported.length === 1)
  await waitUntil('the end', () => world.said.length === 2)
  expect(world.reported).toEqual([3])
})
