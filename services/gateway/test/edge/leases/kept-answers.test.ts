// What a gateway may use without asking, and until when: with clocks that the test moves.
import { type Lease, longestUseMs, usableMs } from '@svc/contract/auth-tokens/leases'
import type { Caller } from '@svc/contract/core/caller'
import { beforeEach, describe, expect, test } from 'vitest'
import { type KeptAnswers, createKeptAnswers } from '../../../src/edge/leases/kept-answers.ts'

/** What the two clocks may differ by: docs/people/leases.md. */
const clockMarginMs = 250
/** On the database's clock, which differs from the gateway's. */
const until = 7_000_000
const wallAtStart = 1_800_000_000_000

const caller: Caller = { kind: 'api_token', id: 'tok_1', workspace: 'ws_1', role: 'member' }
const restingOn = (...principals: string[]): Lease => ({ principals, ends_at: null })

let clock: { monotonic: number; wall: number }
let kept: KeptAnswers

beforeEach(() => {
  clock = { monotonic: 1000, wall: wallAtStart }
  kept = newAnswers()
})

const newAnswers = (bounds?: Parameters<typeof createKeptAnswers>[1]) =>
  createKeptAnswers({ monotonic: () => clock.monotonic, wall: () => clock.wall }, bounds)

const pass = (ms: number) => {
  clock.monotonic += ms
  clock.wall += ms
}
/** A renewal that takes no time. */
const renew = (grant = 'grant_1') => kept.renewed(kept.now(), { grant, until })
/** A look-up that takes no time. */
const lookUp = (key: string, lease = restingOn('api_token tok_1')) =>
  kept.keep(key, caller, lease, kept.generation())
/** Passes the time under one grant that is renewed as it should be. */
const passRenewing = (ms: number) => {
  for (let rest = ms; rest > 0; rest -= 1000) {
    pass(Math.min(rest, 1000))
    renew()
  }
}

describe('a grant', () => {
  test('is needed to keep and to use an answer', () => {
    expect(kept.generation()).toBeUndefined()
    lookUp('key')
    renew()
    expect(kept.find('key')).toBeUndefined()
    lookUp('key')
    expect(kept.find('key')?.caller).toEqual(caller)
    expect(kept.find('another key')).toBeUndefined()
  })

  test('counts from when its renewal was sent, not from when it was answered', () => {
    const sent = kept.now()
    pass(800)
    kept.renewed(sent, { grant: 'grant_1', until })
    lookUp('key')
    pass(usableMs - 801)
    expect(kept.find('key')).toBeDefined()
    pass(1)
    expect(kept.find('key')).toBeUndefined()
    expect(kept.generation()).toBeUndefined()
  })

  test('that went on brings back what was kept under it', () => {
    renew()
    lookUp('key')
    pass(usableMs)
    expect(kept.find('key')).toBeUndefined()
    renew()
    expect(kept.find('key')).toBeDefined()
  })

  test('other than the one before drops everything, and what was being looked up meanwhile', () => {
    renew('grant_1')
    lookUp('key')
    const generation = kept.generation()
    renew('grant_2')
    expect(kept.size).toBe(0)
    kept.keep('key', caller, restingOn('a'), generation)
    expect(kept.find('key')).toBeUndefined()
    renew('grant_1')
    expect(kept.find('key')).toBeUndefined()
  })

  test.each([1, -1])('does not count while the wall clock is off by more than 250 ms (%d)', direction => {
    renew()
    lookUp('key')
    clock.wall += direction * clockMarginMs
    expect(kept.find('key')).toBeDefined()
    clock.wall += direction
    expect(kept.find('key')).toBeUndefined()
    expect(kept.generation()).toBeUndefined()
    // The renewal after that says whether recalls were missed.
    renew()
    expect(kept.find('key')).toBeDefined()
  })

  test('whose answer came after the machine was suspended does not count', () => {
    const sent = kept.now()
    clock.wall += 10_000
    kept.renewed(sent, { grant: 'grant_1', until })
    expect(kept.generation()).toBeUndefined()
  })

  test('says until when services admit by it: 500 ms before its end, by the clock of the database', () => {
    renew()
    lookUp('key')
    expect(kept.find('key')?.until).toBe(until - 500)
    pass(1000)
    kept.renewed(kept.now(), { grant: 'grant_1', until: until + 1000 })
    expect(kept.find('key')?.until).toBe(until + 500)
  })

  test('that lapses drops everything until the next renewal, and what was being looked up meanwhile', () => {
    renew()
    lookUp('key')
    const generation = kept.generation()
    kept.lapse()
    expect([kept.size, kept.generation()]).toEqual([0, undefined])
    renew()
    kept.keep('key', caller, restingOn('a'), generation)
    expect(kept.find('key')).toBeUndefined()
    lookUp('key')
    expect(kept.find('key')).toBeDefined()
  })
})

describe('a recall', () => {
  beforeEach(() => renew())

  test('drops what rests on one of its principals, and nothing else', () => {
    lookUp('token', restingOn('credential 1', 'api_token 1'))
    lookUp('one workspace', restingOn('credential 2', 'session 1', 'member ws_1 user_1'))
    lookUp('another', restingOn('credential 2', 'session 1', 'member ws_2 user_1'))
    kept.recall(['member ws_1 user_1', 'api_token 2', ''])
    expect(kept.find('token')).toBeDefined()
    expect(kept.find('one workspace')).toBeUndefined()
    expect(kept.find('another')).toBeDefined()
    kept.recall(['session 1'])
    expect(kept.find('another')).toBeUndefined()
    expect(kept.find('token')).toBeDefined()
    kept.recall(['credential 1', 'api_token 1'])
    expect(kept.size).toBe(0)
  })

  test('is not undone by a look-up that was under way', () => {
    lookUp('key')
    const generation = kept.generation()
    kept.recall(['api_token tok_1'])
    kept.keep('key', caller, restingOn('api_token tok_1'), generation)
    expect(kept.find('key')).toBeUndefined()
    lookUp('key')
    expect(kept.find('key')).toBeDefined()
  })

  test('counts also where nothing of it was kept, as the look-up may be the first', () => {
    const generation = kept.generation()
    kept.recall(['api_token tok_1'])
    kept.keep('key', caller, restingOn('api_token tok_1'), generation)
    expect(kept.find('key')).toBeUndefined()
  })

  test('a recall of other principals does not keep a look-up under way from being cached', () => {
    const generation = kept.generation()
    for (let n = 0; n < 1000; n++) kept.recall([`api_token ws_2 tok_${n}`, 'user user_2'])
    kept.keep('key', caller, restingOn('api_token tok_1', 'user user_1'), generation)
    expect(kept.find('key')).toBeDefined()
    kept.keep('another', caller, restingOn('api_token tok_2', 'user user_2'), generation)
    expect(kept.find('another')).toBeUndefined()
  })

  test('that is not remembered any more counts for every look-up from before it, and for none after', () => {
    kept = newAnswers({ maxRemembered: 2 })
    renew()
    const generations = [kept.generation()]
    for (const principal of ['one', 'two', 'one', 'three']) {
      kept.recall([principal])
      generations.push(kept.generation())
    }
    // "two" is forgotten: its recall was the second.
    const isKept = generations.map((generation, at) => {
      kept.keep(`key ${at}`, caller, restingOn('four'), generation)
      return kept.find(`key ${at}`) !== undefined
    })
    expect(isKept).toEqual([false, false, true, true, true])
    kept.keep('key', caller, restingOn('four', 'one'), generations[2])
    expect(kept.find('key')).toBeUndefined()
    kept.keep('key', caller, restingOn('four', 'one'), generations[3])
    expect(kept.find('key')).toBeDefined()
  })

  test.each(['__proto__', 'constructor', '', 'x'.repeat(10_000), 'user user_1 ', '\u0000', 'User user_1'])(
    'a recall of an odd principal (%#) drops what has it, and nothing else',
    odd => {
      lookUp('ordinary', restingOn('user user_1'))
      kept.recall([odd])
      lookUp('odd', restingOn(odd))
      expect(kept.find('ordinary')).toBeDefined()
      kept.recall([odd])
      expect(kept.find('odd')).toBeUndefined()
      expect(kept.find('ordinary')).toBeDefined()
    },
  )
})

describe('an entry', () => {
  beforeEach(() => renew())

  test('is used for 30 s, however often its grant is renewed and it is used', () => {
    lookUp('key')
    for (let passed = 1000; passed < longestUseMs; passed += 1000) {
      passRenewing(1000)
      expect(kept.find('key')).toBeDefined()
    }
    passRenewing(999)
    expect(kept.find('key')).toBeDefined()
    passRenewing(1)
    expect(kept.find('key')).toBeUndefined()
    expect(kept.size).toBe(0)
  })

  test('is not used once its credential has ended by itself, by the wall clock', () => {
    clock.wall += 400
    renew()
    lookUp('key', { principals: ['a'], ends_at: wallAtStart / 1000 + 2 })
    pass(1599)
    expect(kept.find('key')).toBeDefined()
    pass(1)
    expect(kept.find('key')).toBeUndefined()
  })

  test('follows the wall clock where that was set, within the margin', () => {
    lookUp('key', { principals: ['a'], ends_at: wallAtStart / 1000 + 1 })
    pass(900)
    clock.wall += 100
    expect(kept.find('key')).toBeUndefined()
  })

  test('gives way where there are too many, the one that was used least lately first', () => {
    kept = newAnswers({ max: 3 })
    renew()
    for (const key of ['one', 'two', 'three']) lookUp(key)
    kept.find('one')
    lookUp('four')
    expect(kept.size).toBe(3)
    expect(kept.find('two')).toBeUndefined()
    for (const key of ['one', 'three', 'four']) expect(kept.find(key)).toBeDefined()
  })

  test('is forgotten with its principals, where it gave way, was replaced or dropped', () => {
    kept = newAnswers({ max: 1 })
    renew()
    lookUp('key', restingOn('early', 'always'))
    lookUp('another')
    lookUp('key', restingOn('now', 'always'))
    kept.recall(['early'])
    expect(kept.find('key')).toBeDefined()
    lookUp('key', restingOn('later', 'always'))
    kept.recall(['now'])
    expect(kept.find('key')).toBeDefined()
    kept.recall(['always'])
    expect(kept.find('key')).toBeUndefined()
    lookUp('key', restingOn('last'))
    kept.recall(['later', 'always'])
    expect(kept.find('key')).toBeDefined()
    kept.recall(['last'])
    expect(kept.find('key')).toBeUndefined()
  })

  test('is dropped by a recall when many others rest on the same principal', () => {
    for (let n = 0; n < 1000; n++) lookUp(`key ${n}`, restingOn('user user_1', `session ${n}`))
    kept.recall(['session 500'])
    expect(kept.size).toBe(999)
    kept.recall(['user user_1'])
    expect(kept.size).toBe(0)
  })
})
