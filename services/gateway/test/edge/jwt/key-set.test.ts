// How often an issuer's keys are read, and what happens to tokens while it does not answer.
import { onOwnClock } from '@svc/testing/own-clock'
import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type KeySet, createKeySet } from '../../../src/edge/jwt/key-set.ts'

const silent = { warn() {}, info() {} }
const unavailable = expect.objectContaining({ reason: 'unavailable', status: 503 })

const jwkOf = (kid: string) => ({
  ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  kid,
})

let clock = 0
let keySet: KeySet | undefined
beforeEach(() => {
  clock = 1_900_000_000_000
})
afterEach(() => {
  keySet?.stop()
})

/** A key set with its own clock, whose issuer publishes `keys`, is down, or does not answer. */
function scene() {
  const issuer = {
    keys: [jwkOf('first')] as unknown[],
    down: false,
    loads: 0,
    waiting: undefined as Promise<void> | undefined,
  }
  const keys = createKeySet({
    load: async () => {
      issuer.loads++
      await issuer.waiting
      if (issuer.down) throw new Error('down')
      return issuer.keys
    },
    algorithms: ['ES256'],
    everyMs: 300_000,
    retryMs: 30_000,
    now: () => clock,
    log: silent,
  })
  keySet = keys
  return { issuer, keys }
}

const storm = (keys: KeySet, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => keys.find(`random-${clock}-${n}`, 'ES256')))

describe('a key set', () => {
  test('is read before it is needed', async () => {
    const { issuer, keys } = scene()
    expect(issuer.loads).toBe(1)
    expect(await keys.find('first', 'ES256')).toBeDefined()
    expect(await keys.find('first', 'ES384')).toBeUndefined()
    expect(keys.published).toEqual(issuer.keys)
    expect(issuer.loads).toBe(1)
  })

  test('is read at most once in 30 s, however many key ids are made up, and whether it succeeds or not', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    for (let second = 0; second < 300; second++) {
      clock += 1000
      issuer.down = second % 100 > 50
      await storm(keys, 100)
    }
    expect(issuer.loads).toBe(1 + 10)
    expect(await keys.find('first', 'ES256')).toBeDefined()
  })

  test('is read by the first of 200 at once, for all of them', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    issuer.keys = [jwkOf('first'), jwkOf('second')]
    clock += 30_000
    const found = await Promise.all(Array.from({ length: 200 }, () => keys.find('second', 'ES256')))
    expect(found.every(key => key !== undefined)).toBe(true)
    expect(issuer.loads).toBe(2)
  })

  test('answers for an unknown key at once within these 30 s', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    issuer.keys = [jwkOf('second')]
    clock += 29_999
    expect(await keys.find('second', 'ES256')).toBeUndefined()
    expect(issuer.loads).toBe(1)
    clock += 1
    expect(await keys.find('second', 'ES256')).toBeDefined()
    expect(await keys.find('first', 'ES256')).toBeUndefined()
  })

  test('is not read for a known key with another algorithm', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    clock += 100_000
    for (const alg of ['RS256', 'HS256', 'none', 'ES384']) {
      expect(await keys.find('first', alg)).toBeUndefined()
    }
    expect(issuer.loads).toBe(1)
  })

  test('keeps its keys while the issuer is down, and has no others', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    issuer.down = true
    for (let hours = 0; hours < 48; hours++) {
      clock += 3_600_000
      await keys.refresh()
      expect(await keys.find('first', 'ES256')).toBeDefined()
      expect(await keys.find('second', 'ES256')).toBeUndefined()
    }
  })

  test('that was never read cannot give an answer until it is', async () => {
    const { issuer, keys } = scene()
    issuer.down = true
    await keys.refresh()
    issuer.loads = 0
    await expect(keys.find('first', 'ES256')).rejects.toEqual(unavailable)
    expect(issuer.loads).toBe(0)
    issuer.down = false
    clock += 30_000
    expect(await keys.find('first', 'ES256')).toBeDefined()
  })

  test('has a new version only when the keys have changed', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    const { version } = keys
    await keys.refresh()
    expect(keys.version).toBe(version)
    issuer.keys = []
    await keys.refresh()
    expect(keys.version).toBe(version + 1)
    expect(await keys.find('first', 'ES256')).toBeUndefined()
  })

  test('lets 256 wait for it, and answers the others 503 at once; known keys do not wait', async () => {
    const { issuer, keys } = scene()
    await keys.refresh()
    let answer = () => {}
    issuer.waiting = new Promise(resolve => (answer = resolve))
    clock += 30_000
    const asked = Promise.allSettled(
      Array.from({ length: 1000 }, (_, n) => keys.find(`random-${n}`, 'ES256')),
    )
    expect(await keys.find('first', 'ES256')).toBeDefined()
    await expect(keys.find('another', 'ES256')).rejects.toMatchObject({ reason: 'overloaded' })
    answer()
    const outcomes = await asked
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(256)
    expect(issuer.loads).toBe(2)
  })

  test('is read again five minutes after the last read, and half a minute after a failure', () =>
    onOwnClock(async timers => {
      const { issuer, keys } = scene()
      await keys.refresh()
      const pass = async (ms: number) => {
        clock += ms
        await timers.tickAsync(ms)
      }
      await pass(200_000)
      await keys.find('unknown', 'ES256')
      expect(issuer.loads).toBe(2)
      // The reading for the token replaces the one that was due.
      await pass(299_000)
      expect(issuer.loads).toBe(2)
      issuer.down = true
      await pass(2000)
      expect(issuer.loads).toBe(3)
      await pass(28_000)
      expect(issuer.loads).toBe(3)
      await pass(120_000)
      expect(issuer.loads).toBe(3 + 4)
      keys.stop()
      await pass(3_600_000)
      expect(issuer.loads).toBe(3 + 4)
    }))
})
