import { onOwnClock } from '@svc/testing/own-clock'
import { describe, expect, test } from 'vitest'
import { type CoalesceOptions, coalesce } from '../../src/coalesce.ts'

interface Batch {
  readonly items: string[]
  answer(results?: (string | Error)[]): void
  fail(reason: unknown): void
}

/** Batches that the test answers by hand. */
function newStage(options: Partial<CoalesceOptions<string, string>> = {}) {
  const batches: Batch[] = []
  const ask = coalesce<string, string>({
    maxBatch: 10,
    run: items =>
      new Promise((resolve, reject) => {
        batches.push({
          items,
          answer: (results = items.map(item => `${item}!`)) => resolve(results),
          fail: reject,
        })
      }),
    ...options,
  })
  return { ask, batches, sent: () => batches.map(({ items }) => items) }
}

const turn = () => new Promise(setImmediate)

/** Until all that follows from what was done has happened, where it needs no time to pass. */
async function settled() {
  for (let at = 0; at < 3; at++) await turn()
}

/** For a test whose clock stands still until it passes milliseconds. */
const stopped = (test: (pass: (ms: number) => Promise<void>) => Promise<void>) => () =>
  onOwnClock(clock =>
    test(async ms => {
      clock.tick(ms)
      await settled()
    }),
  )

const outcomes = async (asked: Promise<string>[]) =>
  (await Promise.allSettled(asked)).map(one => (one.status === 'fulfilled' ? one.value : one.reason))

describe('a batch starts at the end of the turn of its first call', () => {
  test('and not inside of the call', async () => {
    const { ask, sent } = newStage()
    void ask('a')
    await Promise.resolve()
    expect(sent()).toEqual([])
    await settled()
    expect(sent()).toEqual([['a']])
  })

  test('so that the calls of one turn share it, those of its microtasks too', async () => {
    const { ask, batches, sent } = newStage()
    const first = [ask('a'), ask('b')]
    await Promise.resolve()
    const asked = [...first, ask('c')]
    await settled()
    expect(sent()).toEqual([['a', 'b', 'c']])
    batches[0]?.answer()
    expect(await outcomes(asked)).toEqual(['a!', 'b!', 'c!'])
  })

  test(
    'whenever nothing is in progress: no call is delayed',
    stopped(async () => {
      const { ask, batches, sent } = newStage()
      for (const [at, item] of ['a', 'b', 'c'].entries()) {
        const asked = ask(item)
        await turn()
        expect(sent()[at]).toEqual([item])
        batches[at]?.answer()
        expect(await asked).toBe(`${item}!`)
        await settled()
      }
    }),
  )
})

test('what comes while a batch is in progress never joins it, and forms the next one', async () => {
  const { ask, batches, sent } = newStage()
  const first = ask('a')
  await settled()
  const second = ask('b')
  await settled()
  const third = ask('c')
  await settled()
  expect(sent()).toEqual([['a']])
  batches[0]?.answer()
  expect(await first).toBe('a!')
  await settled()
  expect(sent()).toEqual([['a'], ['b', 'c']])
  batches[1]?.answer()
  expect(await outcomes([second, third])).toEqual(['b!', 'c!'])
})

describe('while a batch is in progress, and there is a place, a further one starts', () => {
  const options = { maxBatch: 3, maxConcurrent: 3, slowMs: 20 }

  test(
    'not before it would be full',
    stopped(async () => {
      const { ask, sent } = newStage(options)
      void ask('a')
      await settled()
      for (const item of ['b', 'c']) void ask(item)
      await settled()
      expect(sent()).toEqual([['a']])
      void ask('d')
      await settled()
      expect(sent()).toEqual([['a'], ['b', 'c', 'd']])
    }),
  )

  test(
    'when the one in progress is slow, for a call that comes then',
    stopped(async pass => {
      const { ask, sent } = newStage(options)
      void ask('a')
      await settled()
      await pass(20)
      void ask('b')
      await turn()
      expect(sent()).toEqual([['a'], ['b']])
    }),
  )

  test(
    'when the one in progress becomes slow, for those that wait, though nobody comes any more',
    stopped(async pass => {
      const { ask, sent } = newStage(options)
      void ask('a')
      await settled()
      await pass(5)
      void ask('b')
      await pass(10)
      void ask('c')
      await pass(4)
      expect(sent()).toEqual([['a']])
      await pass(1)
      expect(sent()).toEqual([['a'], ['b', 'c']])
    }),
  )

  test(
    'and the next one not before that one is slow, too',
    stopped(async pass => {
      const { ask, sent } = newStage(options)
      for (const [at, item] of ['a', 'b', 'c'].entries()) {
        void ask(item)
        await settled()
        if (at > 0) {
          await pass(19)
          expect(sent()).toHaveLength(at)
          await pass(1)
        }
        expect(sent()).toHaveLength(at + 1)
      }
    }),
  )

  test(
    'never more than maxConcurrent at once, however slow or full',
    stopped(async pass => {
      const { ask, batches, sent } = newStage(options)
      const items = Array.from({ length: 15 }, (_, n) => `${n}`)
      const asked = items.map(ask)
      await settled()
      await pass(1000)
      expect(sent().flat()).toEqual(items.slice(0, 9))
      batches[1]?.answer()
      await settled()
      expect(sent()[3]).toEqual(['9', '10', '11'])
      await pass(1000)
      expect(sent()).toHaveLength(4)
      while (batches.some(({ items }) => items.length > 0)) {
        for (const batch of batches.splice(0)) batch.answer()
        await settled()
      }
      expect(await outcomes(asked)).toEqual(items.map(item => `${item}!`))
    }),
  )

  test(
    'never, unless more than one is allowed',
    stopped(async pass => {
      const { ask, sent } = newStage({ maxBatch: 2 })
      void ask('a')
      await settled()
      for (const item of ['b', 'c', 'd', 'e']) void ask(item)
      await pass(1000)
      expect(sent()).toEqual([['a']])
    }),
  )
})

test('a batch holds at most maxBatch items, and at most maxConcurrent are in progress', async () => {
  let underWay = 0
  let most = 0
  const sizes: number[] = []
  const ask = coalesce<number, number>({
    maxBatch: 7,
    maxConcurrent: 3,
    run: async items => {
      most = Math.max(most, ++underWay)
      sizes.push(items.length)
      await turn()
      underWay--
      return items.map(item => item * 2)
    },
  })
  const numbers = Array.from({ length: 100 }, (_, n) => n)
  expect(await Promise.all(numbers.map(ask))).toEqual(numbers.map(n => n * 2))
  expect(most).toBe(3)
  expect(Math.max(...sizes)).toBe(7)
  expect(sizes.reduce((sum, size) => sum + size)).toBe(100)
})

describe('calls with one key', () => {
  const keyOf = (item: string) => item.slice(0, 1)

  test('share a place in the batch that is still to be sent', async () => {
    const { ask, batches, sent } = newStage({ keyOf })
    const first = [ask('a1'), ask('a2'), ask('b1')]
    await settled()
    const next = [ask('a3'), ask('c1'), ask('a4'), ask('b2')]
    expect(sent()).toEqual([['a1', 'b1']])
    batches[0]?.answer()
    await settled()
    expect(sent()).toEqual([
      ['a1', 'b1'],
      ['a3', 'c1', 'b2'],
    ])
    batches[1]?.answer()
    expect(await outcomes([...first, ...next])).toEqual(['a1!', 'a1!', 'b1!', 'a3!', 'c1!', 'a3!', 'b2!'])
  })

  test('never share one that has been sent: its answer may be older than the question', async () => {
    const { ask, batches, sent } = newStage({ keyOf })
    const before = ask('a')
    await settled()
    const after = ask('a')
    batches[0]?.answer(['old'])
    expect(await before).toBe('old')
    await settled()
    expect(sent()).toEqual([['a'], ['a']])
    batches[1]?.answer(['new'])
    expect(await after).toBe('new')
  })

  test('do not share it either when several batches are in progress', async () => {
    const { ask, batches, sent } = newStage({ keyOf, maxConcurrent: 3, slowMs: 0 })
    const asked: Promise<string>[] = []
    for (let at = 0; at < 3; at++) {
      asked.push(ask('a'))
      await settled()
    }
    asked.push(ask('a'), ask('a'))
    await settled()
    expect(sent()).toEqual([['a'], ['a'], ['a']])
    batches[1]?.answer(['second'])
    await settled()
    expect(sent()).toEqual([['a'], ['a'], ['a'], ['a']])
    for (const batch of batches) batch.answer(['other'])
    expect(await outcomes(asked)).toEqual(['other', 'second', 'other', 'other', 'other'])
  })

  test('fill one place of maxBatch, and share its failure', async () => {
    const { ask, batches, sent } = newStage({ keyOf, maxBatch: 2 })
    const asked = outcomes(['a1', 'a2', 'b1', 'a3', 'b2', 'c1'].map(ask))
    await settled()
    expect(sent()).toEqual([['a1', 'b1']])
    const no = new Error('no')
    batches[0]?.answer([no, 'yes'])
    await settled()
    expect(sent()[1]).toEqual(['c1'])
    batches[1]?.answer()
    expect(await asked).toEqual([no, no, 'yes', no, 'yes', 'c1!'])
  })
})

describe('groups', () => {
  const groupOf = (item: string) => item.slice(0, 1)

  test('are never mixed, and each batch is that of the call that has waited longest', async () => {
    const { ask, batches, sent } = newStage({ groupOf })
    const asked = ['a1', 'b1', 'a2', 'c1', 'b2'].map(ask)
    for (let at = 0; at < 3; at++) {
      await settled()
      batches[at]?.answer()
    }
    expect(await outcomes(asked)).toEqual(['a1!', 'b1!', 'a2!', 'c1!', 'b2!'])
    expect(sent()).toEqual([['a1', 'a2'], ['b1', 'b2'], ['c1']])
  })

  test('do not starve: one call is next in its turn, however many of another group come all the time', async () => {
    const { ask, batches, sent } = newStage({ groupOf, maxBatch: 4 })
    for (let n = 0; n < 6; n++) void ask(`a${n}`)
    void ask('b')
    for (let round = 0; !sent().flat().includes('b'); round++) {
      expect(round).toBeLessThan(4)
      for (let n = 0; n < 6; n++) void ask(`a${n}`)
      await settled()
      batches[round]?.answer()
    }
    expect(sent().at(-1)).toEqual(['b'])
  })

  test(
    'wait for each other only until the one in progress is slow',
    stopped(async pass => {
      const { ask, sent } = newStage({ groupOf, maxConcurrent: 4 })
      for (const item of ['a1', 'b1', 'c1', 'b2']) void ask(item)
      await settled()
      expect(sent()).toEqual([['a1']])
      await pass(20)
      expect(sent()).toEqual([['a1'], ['b1', 'b2']])
      await pass(20)
      expect(sent()).toEqual([['a1'], ['b1', 'b2'], ['c1']])
    }),
  )
})

describe('the results of a batch', () => {
  test('an Error among them rejects its own call alone', async () => {
    const { ask, batches } = newStage({ retryAlone: () => true })
    const asked = outcomes(['a', 'b', 'c'].map(ask))
    await settled()
    const no = new Error('no')
    batches[0]?.answer(['one', no, 'three'])
    expect(await asked).toEqual(['one', no, 'three'])
    expect(batches).toHaveLength(1)
  })

  test.each([[undefined], [null], [false], [0], ['']])('%j is one, too', async result => {
    const ask = coalesce<string, unknown>({ maxBatch: 10, run: async items => items.map(() => result) })
    expect(await Promise.all([ask('a'), ask('b')])).toEqual([result, result])
  })

  test.each([[[]], [['only one']], [['one', 'two', 'three']]])(
    '%j for two calls fail them both: nobody gets the answer of another',
    async results => {
      const { ask, batches } = newStage()
      const asked = [ask('a'), ask('b')]
      await settled()
      batches[0]?.answer(results)
      const wrong = new Error('The batch did not return a result for each item.')
      expect(await outcomes(asked)).toEqual([wrong, wrong])
    },
  )
})

describe('a batch that fails', () => {
  test('fails its own calls, and the next one is sent', async () => {
    const { ask, batches, sent } = newStage()
    const first = outcomes([ask('a'), ask('b')])
    await settled()
    const next = [ask('c'), ask('d')]
    const no = new Error('no')
    batches[0]?.fail(no)
    expect(await first).toEqual([no, no])
    await settled()
    expect(sent()).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ])
    batches[1]?.answer()
    expect(await outcomes(next)).toEqual(['c!', 'd!'])
  })

  test('at once, by a throw, does so too', async () => {
    const ask = coalesce<string, string>({
      maxBatch: 1,
      run: () => {
        throw new Error('at once')
      },
    })
    await expect(ask('a')).rejects.toThrow('at once')
    await expect(ask('b')).rejects.toThrow('at once')
  })
})

describe('a batch that failed for one of its items, perhaps', () => {
  const retryAlone = (error: unknown) => error === 'refused'

  test('is tried again item by item: neighbours succeed, and nothing is tried a third time', async () => {
    const { ask, batches, sent } = newStage({ retryAlone })
    const asked = outcomes(['a', 'b', 'c'].map(ask))
    await settled()
    batches[0]?.fail('refused')
    await settled()
    expect(sent().slice(1)).toEqual([['a'], ['b'], ['c']])
    const no = new Error('no')
    batches[1]?.answer()
    batches[2]?.fail('refused')
    batches[3]?.answer([no])
    expect(await asked).toEqual(['a!', 'refused', no])
    await settled()
    expect(batches).toHaveLength(4)
  })

  test('fails as a whole where retryAlone says no', async () => {
    const { ask, batches } = newStage({ retryAlone })
    const asked = outcomes(['a', 'b'].map(ask))
    await settled()
    batches[0]?.fail('lost')
    expect(await asked).toEqual(['lost', 'lost'])
    await settled()
    expect(batches).toHaveLength(1)
  })

  test('is not tried again when it was a single item', async () => {
    const { ask, batches } = newStage({ retryAlone })
    const asked = outcomes([ask('a')])
    await settled()
    batches[0]?.fail('refused')
    expect(await asked).toEqual(['refused'])
    expect(batches).toHaveLength(1)
  })

  test('keeps its place until the last of its items is answered', async () => {
    const { ask, batches, sent } = newStage({ retryAlone })
    const asked = outcomes(['a', 'b'].map(ask))
    await settled()
    batches[0]?.fail('refused')
    const next = ask('c')
    await settled()
    batches[1]?.answer()
    await settled()
    expect(sent()).toEqual([['a', 'b'], ['a'], ['b']])
    batches[2]?.answer()
    await settled()
    expect(sent()[3]).toEqual(['c'])
    batches[3]?.answer()
    expect([...(await asked), await next]).toEqual(['a!', 'b!', 'c!'])
  })

  test('shares the outcome of an item with all who share its place', async () => {
    const { ask, batches } = newStage({ retryAlone, keyOf: item => item })
    const asked = outcomes(['a', 'b', 'a'].map(ask))
    await settled()
    batches[0]?.fail('refused')
    await settled()
    batches[1]?.fail('refused')
    batches[2]?.answer()
    expect(await asked).toEqual(['refused', 'b!', 'refused'])
  })
})
