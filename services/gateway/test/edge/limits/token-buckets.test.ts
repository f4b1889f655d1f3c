// Buckets of several gateways, on a clock that the test moves: what they admit together.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type TokenBuckets, type Use, createTokenBuckets } from '../../../src/edge/limits/token-buckets.ts'

const stepSeconds = 0.01
const stepsBetweenMessages = 10

interface Scene {
  readonly perSecond: number
  readonly burst: number
  /** Requests to each gateway per step. */
  readonly asked: readonly number[]
  readonly seconds: number
  /** Whether this message to this gateway is lost. */
  readonly isLost?: (message: number, gateway: number) => boolean
}

/** How much of a key that requests all the time the gateways admit, in total and each. */
function admitted({ perSecond, burst, asked, seconds, isLost = () => false }: Scene): number[] {
  let now = 0
  let soon = false
  const onMuchUsed = () => {
    soon = true
  }
  const gateways = asked.map(() => createTokenBuckets({ perSecond, burst, now: () => now, onMuchUsed }))
  const sums = asked.map(() => 0)
  let messages = 0
  for (let step = 0; step < Math.round(seconds / stepSeconds); step++) {
    now = step * stepSeconds
    for (const [at, gateway] of gateways.entries()) {
      for (let request = 0; request < (asked[at] ?? 0); request++) {
        if (gateway.level('a') < 1) break
        gateway.spend('a')
        sums[at] = (sums[at] ?? 0) + 1
      }
    }
    if (step % stepsBetweenMessages === 0 || soon) tell()
  }
  return sums

  function tell() {
    soon = false
    for (const [from, gateway] of gateways.entries()) {
      const uses = gateway.used()
      for (const [to, other] of gateways.entries()) {
        if (to !== from && !isLost(messages++, to)) other.addUse(String(from), uses)
      }
    }
  }
}

const sum = (all: number[]) => all.reduce((a, b) => a + b, 0)

describe('across all gateways', () => {
  test.each([
    ['one', [20]],
    ['three, the same at each', [20, 20, 20]],
    ['three, all at one', [40, 0, 0]],
    ['three, uneven', [30, 5, 1]],
    ['ten', Array(10).fill(10)],
  ])('the rate is exact to a tenth: %s', (_, asked) => {
    const total = sum(admitted({ perSecond: 100, burst: 200, asked, seconds: 10 }))
    const exact = 100 * 10 + 200
    expect(total).toBeGreaterThan(exact * 0.9)
    expect(total).toBeLessThan(exact * 1.1)
  })

  test('lost messages are made up for', () => {
    const scene = { perSecond: 100, burst: 200, asked: [20, 20, 20], seconds: 20 }
    const total = sum(admitted({ ...scene, isLost: message => message % 3 === 0 }))
    const exact = 100 * 20 + 200
    expect(total).toBeGreaterThan(exact * 0.9)
    expect(total).toBeLessThan(exact * 1.1)
  })

  test('a client below the rate is never refused, at whichever gateway', () => {
    const rates = fc.record({ perSecond: fc.integer({ min: 50, max: 500 }), seconds: fc.constant(5) })
    fc.assert(
      fc.property(rates, fc.integer({ min: 1, max: 4 }), ({ perSecond, seconds }, gateways) => {
        const each = Math.floor((perSecond * stepSeconds * 0.9) / gateways)
        const asked = Array(gateways).fill(each)
        const total = sum(admitted({ perSecond, burst: perSecond, asked, seconds }))
        expect(total).toBe(each * gateways * Math.round(seconds / stepSeconds))
      }),
    )
  })
})

describe('a gateway that hears of a bucket', () => {
  let now = 0
  const make = (): TokenBuckets => createTokenBuckets({ perSecond: 10, burst: 100, now: () => now })

  test('from its first use on counts all of it', () => {
    const mine = make()
    mine.spend('a')
    mine.addUse('other', [['a', 40, 0, 60]])
    expect(mine.level('a')).toBe(59)
  })

  test('later, because it started later, adopts what is left', () => {
    const mine = make()
    mine.addUse('other', [['a', 5000, 4990, 12]])
    expect(mine.level('a')).toBe(12)
    mine.addUse('other', [['a', 5005, 5000, 7]])
    expect(mine.level('a')).toBe(7)
  })

  test('again after the other has forgotten it counts what is new', () => {
    const mine = make()
    mine.addUse('other', [['a', 50, 0, 50]])
    now += 100
    mine.addUse('other', [['a', 8, 0, 92]])
    expect(mine.level('a')).toBe(92)
  })

  test('below zero pays its debt', () => {
    const mine = make()
    for (let n = 0; n < 100; n++) mine.spend('b')
    mine.addUse('other', [['b', 100, 0, 0]])
    expect(mine.level('b')).toBe(-100)
    now += 10
    expect(mine.level('b')).toBe(0)
  })
})

test('each use is announced once, and a bucket that is full again is forgotten', () => {
  let now = 0
  const buckets = createTokenBuckets({ perSecond: 10, burst: 100, now: () => now })
  buckets.spend('a')
  buckets.forget()
  expect(buckets.used()).toEqual<Use[]>([['a', 1, 0, 99]])
  expect(buckets.used()).toEqual([])
  now = 5
  buckets.forget()
  expect(buckets.size).toBe(1)
  now = 60
  buckets.forget()
  expect(buckets.size).toBe(0)
})
