import type { ApiError } from '@svc/contract/core/errors'
import { unhurried } from '@svc/testing/size'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createFairQueue,
  type FairQueue,
  type FairQueueOptions,
  type Flow,
  type Release,
} from '../src/fair-queue/fair-queue.ts'

const of = (tenant: string, member = 'a'): Flow => ({ tenant, member })

/** Adds work, and records the order in which it started. */
function scene(options: FairQueueOptions) {
  const queue = createFairQueue(options)
  const started: string[] = []
  const refused: string[] = []
  const releases: { name: string; release: Release }[] = []
  return { queue, started, refused, releases, enter, finish, settle }

  function enter(tenant: string, member = 'a', deadline = unhurried()) {
    const name = `${tenant}/${member}`
    const begin = (release: Release) => {
      started.push(name)
      releases.push({ name, release })
    }
    try {
      const slot = queue.enter({ tenant, member }, deadline)
      if (slot instanceof Promise)
        slot.then(begin, reason => refused.push(`${name} ${(reason as ApiError).tag}`))
      else begin(slot)
    } catch (error) {
      refused.push(`${name} ${(error as ApiError).tag}`)
    }
  }
  /** Ends the oldest work in progress. */
  async function finish(count = 1) {
    for (let round = 0; round < count; round++) {
      releases.shift()?.release()
      await settle()
    }
  }
}

const settle = () => new Promise<void>(resolve => setImmediate(resolve))
const times = (count: number, work: () => void) => {
  for (let round = 0; round < count; round++) work()
}

describe('slots', () => {
  test('are taken while there is room, by one tenant as well', () => {
    const { enter, started, queue } = scene({ slots: 3, max: 13 })
    times(4, () => enter('a'))
    expect(started).toEqual(['a/a', 'a/a', 'a/a'])
    expect([queue.held, queue.waiting]).toEqual([3, 1])
  })

  test('go to a tenant that holds none, however many requests of another wait', async () => {
    const { enter, started, finish } = scene({ slots: 2, max: 100 })
    times(50, () => enter('many'))
    enter('one')
    await finish()
    expect(started.at(-1)).toBe('one/a')
  })

  test('are shared among tenants, then among the members of a tenant', async () => {
    const { enter, started, finish } = scene({ slots: 1, max: 400 })
    times(100, () => enter('a', 'busy'))
    times(100, () => enter('a', 'other'))
    times(100, () => enter('b'))
    await finish(80)
    const count = (name: string) => started.slice(1).filter(one => one.startsWith(name)).length
    expect([count('a/busy'), count('a/other'), count('b')]).toEqual([20, 20, 40])
  })

  test('that are spare go to tenants that hold none', () => {
    const { enter, started } = scene({ slots: 2, spare: 1, max: 100 })
    times(5, () => enter('many'))
    enter('one')
    times(3, () => enter('one'))
    enter('two')
    expect(started).toEqual(['many/a', 'many/a', 'one/a'])
  })

  test('that are held for long do not keep others waiting, within the bound', async () => {
    const { enter, started, refused } = scene({ slots: 2, max: 4, slowMs: 1 })
    times(5, () => enter('a'))
    expect(refused).toEqual(['a/a Unavailable'])
    await expect.poll(() => started).toHaveLength(4)
    enter('b')
    expect(refused).toHaveLength(2)
  })

  test('are refused to requests that wait until their deadline, or are given up', async () => {
    const { enter, refused, queue } = scene({ slots: 1, max: 9 })
    enter('a')
    enter('a', 'a', Date.now() + 1)
    let giveUp = () => {}
    const waits = queue.enter(of('b'), unhurried(), end => {
      giveUp = end
    })
    giveUp()
    await expect(waits).rejects.toMatchObject({ reason: 'overloaded' })
    await expect.poll(() => refused).toEqual(['a/a Unavailable'])
    expect(queue.waiting).toBe(0)
  })
})

describe('too many waiting requests', () => {
  test('lead to 429 for the newest request of the tenant that has most', async () => {
    const { enter, refused, finish, started } = scene({ slots: 1, max: 11 })
    times(11, () => enter('many'))
    times(5, () => enter('few'))
    await settle()
    expect(refused).toEqual(Array(5).fill('many/a RateLimited'))
    enter('many')
    expect(refused.at(-1)).toBe('many/a RateLimited')
    await finish(10)
    expect(started.filter(name => name === 'few/a')).toHaveLength(5)
  })

  test('too many requests of one credential are refused to it, not to the others of its workspace', async () => {
    const { enter, refused } = scene({ slots: 1, max: 11 })
    times(11, () => enter('a', 'busy'))
    times(3, () => enter('a', 'other'))
    await settle()
    expect(refused).toEqual(Array(3).fill('a/busy RateLimited'))
  })

  test('requests of a tenant with its own limit make room for its other members, and leave the rest to other tenants', async () => {
    const { enter, refused, started, finish } = scene({ slots: 2, max: 100, maxOf: { anonymous: 6 } })
    times(8, () => enter('anonymous', 'busy'))
    expect(refused).toEqual(Array(2).fill('anonymous/busy Unavailable'))
    enter('anonymous', 'other')
    enter('workspace')
    await settle()
    expect(refused.slice(2)).toEqual(['anonymous/busy RateLimited'])
    await finish(2)
    expect(started.slice(2)).toEqual(['workspace/a', 'anonymous/other'])
  })

  test('are an overload if no tenant has more than the others', async () => {
    const { enter, refused } = scene({ slots: 1, max: 4 })
    for (const tenant of ['a', 'b', 'c', 'd', 'e']) enter(tenant)
    times(1, () => enter('f'))
    await settle()
    expect(refused).toEqual(['e/a Unavailable', 'f/a Unavailable'])
  })

  test('too many requests of a single tenant are an overload', () => {
    const { enter, refused } = scene({ slots: 1, max: 1 })
    times(2, () => enter('a'))
    expect(refused).toEqual(['a/a Unavailable'])
  })
})

type Step = { enter: number; member: number } | { release: number }
const steps = fc.array(
  fc.oneof(
    fc.record({ enter: fc.nat(5), member: fc.nat(2) }) as fc.Arbitrary<Step>,
    fc.record({ release: fc.nat(20) }) as fc.Arbitrary<Step>,
  ),
  { maxLength: 200 },
)
const bounds = fc.record({
  slots: fc.integer({ min: 1, max: 5 }),
  spare: fc.nat(2),
  max: fc.integer({ min: 1, max: 15 }),
})

test('in any sequence the bounds hold, no slot stays unused, and nothing remains of tenants that are gone', async () => {
  await fc.assert(
    fc.asyncProperty(bounds, steps, async (options, all) => {
      const { queue, enter, releases } = scene(options)
      for (const step of all) {
        if ('enter' in step) enter(`t${step.enter}`, `m${step.member}`)
        else releases.splice(step.release % (releases.length || 1), 1)[0]?.release()
        await settle()
        expectWithinBounds(queue, options)
        expect(releases).toHaveLength(queue.held)
      }
      while (releases.length > 0) {
        releases.shift()?.release()
        await settle()
      }
      expect([queue.held, queue.waiting, queue.tenants, queue.tenantsWaiting]).toEqual([0, 0, 0, 0])
    }),
  )
})

function expectWithinBounds(queue: FairQueue, { slots, spare = 0, max }: FairQueueOptions) {
  expect(queue.held).toBeLessThanOrEqual(slots + spare)
  expect(queue.held + queue.waiting).toBeLessThanOrEqual(max + spare)
  if (queue.waiting > 0) expect(queue.held).toBeGreaterThanOrEqual(Math.min(slots, max))
}

test('a tenant with one request waits for at most one request of each other tenant', async () => {
  const crowds = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(crowds, fc.integer({ min: 1, max: 4 }), async (crowd, slots) => {
      const { enter, started, finish } = scene({ slots, max: 1000 })
      for (const [at, count] of crowd.entries()) times(count, () => enter(`crowd${at}`))
      const before = started.length
      enter('one')
      for (let turn = 0; turn < crowd.length && !started.includes('one/a'); turn++) await finish()
      expect(started.slice(before)).toContain('one/a')
    }),
  )
})
