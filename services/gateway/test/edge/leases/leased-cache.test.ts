// What a gateway may use without asking, and until when: with clocks that the test moves.
import { type Lease, longestUseMs, usableMs } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { beforeEach, describe, expect, test } from 'vitest'
import { type LeasedCache, createLeasedCache } from '../../../src/edge/leases/leased-cache.ts'

/** What the two clocks may differ by: docs/people/leases.md. */
const clockMarginMs = 250
/** On the database's clock, which differs from the gateway's. */
const until = 7_000_000
const wallAtStart = 1_800_000_000_000

const caller: Caller = { kind: 'api_token', id: 'tok_1', workspace: 'ws_1', role: 'member' }
const restingOn = (...principals: string[]): Lease => ({ principals, ends_at: null })

let clock: { monotonic: number; wall: number }
let cache: LeasedCache

beforeEach(() => {
  clock = { monotonic: 1000, wall: wallAtStart }
  cache = newCache()
})

const newCache = (bounds?: Parameters<typeof createLeasedCache>[1]) =>
  createLeasedCache({ monotonic: () => clock.monotonic, wall: () => clock.wall }, bounds)

const pass = (ms: number) => {
  clock.monotonic += ms
  clock.wall += ms
}
/** A renewal that takes no time. */
const renew = (grant = 'grant_1') => cache.renewed(cache.now(), { grant, until })
/** A look-up that takes no time. */
const lookUp = (key: string, lease = restingOn('api_token tok_1')) =>
  cache.set(key, { caller }, lease, cache.generation())
/** Passes the time under one grant that is renewed as it should be. */
const passRenewing = (ms: number) => {
  for (let rest = ms; rest > 0; rest -= 1000) {
    pass(Math.min(rest, 1000))
    renew()
  }
}

describe('a grant', () => {
  test('is needed to keep and to use an answer', () => {
    expect(cache.generation()).toBeUndefined()
    lookUp('key')
    renew()
    expect(cache.get('key')).toBeUndefined()
    lookUp('key')
    expect(cache.get('key')?.caller).toEqual(caller)
    expect(cache.get('another key')).toBeUndefined()
  })

  test('counts from when its renewal was sent, not from when it was answered', () => {
    const sent = cache.now()
    pass(800)
    cache.renewed(sent, { grant: 'grant_1', until })
    lookUp('key')
    pass(usableMs - 801)
    expect(cache.get('key')).toBeDefined()
    pass(1)
    expect(cache.get('key')).toBeUndefined()
    expect(cache.generation()).toBeUndefined()
  })

  test('brings back what was cached under it, once it goes on', () => {
    renew()
    lookUp('key')
    pass(usableMs)
    expect(cache.get('key')).toBeUndefined()
    renew()
    expect(cache.get('key')).toBeDefined()
  })

  test('other than the one before drops everything, and what was being looked up meanwhile', () => {
    renew('grant_1')
    lookUp('key')
    const generation = cache.generation()
    renew('grant_2')
    expect(cache.size).toBe(0)
    cache.set('key', { caller }, restingOn('a'), generation)
    expect(cache.get('key')).toBeUndefined()
    renew('grant_1')
    expect(cache.get('key')).toBeUndefined()
  })

  test.each([1, -1])('does not count while the wall clock is off by more than 250 ms (%d)', direction => {
    renew()
    lookUp('key')
    clock.wall += direction * clockMarginMs
    expect(cache.get('key')).toBeDefined()
    clock.wall += direction
    expect(cache.get('key')).toBeUndefined()
    expect(cache.generation()).toBeUndefined()
    // The renewal after that says whether recalls were missed.
    renew()
    expect(cache.get('key')).toBeDefined()
  })

  test('whose answer came after the machine was suspended does not count', () => {
    const sent = cache.now()
    clock.wall += 10_000
    cache.renewed(sent, { grant: 'grant_1', until })
    expect(cache.generation()).toBeUndefined()
  })

  test('says until when services admit by it: 500 ms before its end, by the clock of the database', () => {
    renew()
    lookUp('key')
    expect(cache.get('key')?.until).toBe(until - 500)
    pass(1000)
    cache.renewed(cache.now(), { grant: 'grant_1', until: until + 1000 })
    expect(cache.get('key')?.until).toBe(until + 500)
  })

  test('that lapses drops everything until the next renewal, and what was being looked up meanwhile', () => {
    renew()
    lookUp('key')
    const generation = cache.generation()
    cache.lapse()
    expect([cache.size, cache.generation()]).toEqual([0, undefined])
    renew()
    cache.set('key', { caller }, restingOn('a'), generation)
    expect(cache.get('key')).toBeUndefined()
    lookUp('key')
    expect(cache.get('key')).toBeDefined()
  })
})

describe('a recall', () => {
  beforeEach(() => renew())

  test('drops what rests on one of its principals, and nothing else', () => {
    lookUp('token', restingOn('credential 1', 'api_token 1'))
    lookUp('one workspace', restingOn('credential 2', 'session 1', 'member ws_1 user_1'))
    lookUp('another', restingOn('credential 2', 'session 1', 'member ws_2 user_1'))
    cache.recall(['member ws_1 user_1', 'api_token 2', ''])
    expect(cache.get('token')).toBeDefined()
    expect(cache.get('one workspace')).toBeUndefined()
    expect(cache.get('another')).toBeDefined()
    cache.recall(['session 1'])
    expect(cache.get('another')).toBeUndefined()
    expect(cache.get('token')).toBeDefined()
    cache.recall(['credential 1', 'api_token 1'])
    expect(cache.size).toBe(0)
  })

  test('is not undone by a look-up that was under way', () => {
    lookUp('key')
    const generation = cache.generation()
    cache.recall(['api_token tok_1'])
    cache.set('key', { caller }, restingOn('api_token tok_1'), generation)
    expect(cache.get('key')).toBeUndefined()
    lookUp('key')
    expect(cache.get('key')).toBeDefined()
  })

  test('counts also where nothing of it was cached, as the look-up may be the first', () => {
    const generation = cache.generation()
    cache.recall(['api_token tok_1'])
    cache.set('key', { caller }, restingOn('api_token tok_1'), generation)
    expect(cache.get('key')).toBeUndefined()
  })

  test('a recall of other principals does not keep a look-up under way from being cached', () => {
    const generation = cache.generation()
    for (let n = 0; n < 1000; n++) cache.recall([`api_token ws_2 tok_${n}`, 'user user_2'])
    cache.set('key', { caller }, restingOn('api_token tok_1', 'user user_1'), generation)
    expect(cache.get('key')).toBeDefined()
    cache.set('another', { caller }, restingOn('api_token tok_2', 'user user_2'), generation)
    expect(cache.get('another')).toBeUndefined()
  })

  test('that is not remembered any more counts for every look-up from before it, and for none after', () => {
    cache = newCache({ maxRemembered: 2 })
    renew()
    const generations = [cache.generation()]
    for (const principal of ['one', 'two', 'one', 'three']) {
      cache.recall([principal])
      generations.push(cache.generation())
    }
    // "two" is forgotten: its recall was the second.
    const isKept = generations.map((generation, at) => {
      cache.set(`key ${at}`, { caller }, restingOn('four'), generation)
      return cache.get(`key ${at}`) !== undefined
    })
    expect(isKept).toEqual([false, false, true, true, true])
    cache.set('key', { caller }, restingOn('four', 'one'), generations[2])
    expect(cache.get('key')).toBeUndefined()
    cache.set('key', { caller }, restingOn('four', 'one'), generations[3])
    expect(cache.get('key')).toBeDefined()
  })

  test.each(['__proto__', 'constructor', '', 'x'.repeat(10_000), 'user user_1 ', '\u0000', 'User user_1'])(
    'a recall of an odd principal (%#) drops what has it, and nothing else',
    odd => {
      lookUp('ordinary', restingOn('user user_1'))
      cache.recall([odd])
      lookUp('odd', restingOn(odd))
      expect(cache.get('ordinary')).toBeDefined()
      cache.recall([odd])
      expect(cache.get('odd')).toBeUndefined()
      expect(cache.get('ordinary')).toBeDefined()
    },
  )
})

describe('an entry', () => {
  beforeEach(() => renew())

  test('is used for 30 s, however often its grant is renewed and it is used', () => {
    lookUp('key')
    for (let passed = 1000; passed < longestUseMs; passed += 1000) {
      passRenewing(1000)
      expect(cache.get('key')).toBeDefined()
    }
    passRenewing(999)
    expect(cache.get('key')).toBeDefined()
    passRenewing(1)
    expect(cache.get('key')).toBeUndefined()
    expect(cache.size).toBe(0)
  })

  test('is not used once its credential has ended by itself, by the wall clock', () => {
    clock.wall += 400
    renew()
    lookUp('key', { principals: ['a'], ends_at: wallAtStart / 1000 + 2 })
    pass(1599)
    expect(cache.get('key')).toBeDefined()
    pass(1)
    expect(cache.get('key')).toBeUndefined()
  })

  test('follows the wall clock where that was set, within the margin', () => {
    lookUp('key', { principals: ['a'], ends_at: wallAtStart / 1000 + 1 })
    pass(900)
    clock.wall += 100
    expect(cache.get('key')).toBeUndefined()
  })

  test('gives way where there are too many, the one that was used least lately first', () => {
    cache = newCache({ max: 3 })
    renew()
    for (const key of ['one', 'two', 'three']) lookUp(key)
    cache.get('one')
    lookUp('four')
    expect(cache.size).toBe(3)
    expect(cache.get('two')).toBeUndefined()
    for (const key of ['one', 'three', 'four']) expect(cache.get(key)).toBeDefined()
  })

  test('is forgotten with its principals, where it gave way, was replaced or dropped', () => {
    cache = newCache({ max: 1 })
    renew()
    lookUp('key', restingOn('early', 'always'))
    lookUp('another')
    lookUp('key', restingOn('now', 'always'))
    cache.recall(['early'])
    expect(cache.get('key')).toBeDefined()
    lookUp('key', restingOn('later', 'always'))
    cache.recall(['now'])
    expect(cache.get('key')).toBeDefined()
    cache.recall(['always'])
    expect(cache.get('key')).toBeUndefined()
    lookUp('key', restingOn('last'))
    cache.recall(['later', 'always'])
    expect(cache.get('key')).toBeDefined()
    cache.recall(['last'])
    expect(cache.get('key')).toBeUndefined()
  })

  test('is dropped by a recall when many others rest on the same principal', () => {
    for (let n = 0; n < 1000; n++) lookUp(`key ${n}`, restingOn('user user_1', `session ${n}`))
    cache.recall(['session 500'])
    expect(cache.size).toBe(999)
    cache.recall(['user user_1'])
    expect(cache.size).toBe(0)
  })
})
