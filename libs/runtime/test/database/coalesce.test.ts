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

/** Resolves once everything has happened that does not need time to pass. */
async function settled() {
  for (let at = 0; at < 3; at++) await turn()
}

/** For a test whose clock stands still until it is moved. */
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
  test('a batch does not start during the call', async () => {
    const { ask, sent } = newStage()
    void ask('a')
    await Promise.resolve()
    expect(sent()).toEqual([])
    await settled()
    expect(sent()).toEqual([['a']])
  })

  test('so that the calls of one turn share it, including those of its microtasks', async () => {
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

test('calls that arrive while a batch is in progress never join it, and form the next one', async () => {
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

describe('batches that rest', () => {
  const options = { maxBatch: 3, maxConcurrent: 3, restMs: 50 }

  test(
    'start no sooner after one another, although none is in progress',
    stopped(async pass => {
      const { ask, batches, sent } = newStage(options)
      void ask('a')
      await settled()
      batches[0]?.answer()
      await pass(20)
      void ask('b')
      await pass(29)
      void ask('c')
      await settled()
      expect(sent()).toEqual([['a']])
      await pass(1)
      expect(sent()).toEqual([['a'], ['b', 'c']])
    }),
  )

  test(
    'start at once when they are full, and for a call that comes alone',
    stopped(async pass => {
      const { ask, batches, sent } = newStage(options)
      void ask('a')
      await settled()
      batches[0]?.answer()
      for (const item of ['b', 'c', 'd']) void ask(item)
      await settled()
      batches[1]?.answer()
      await pass(50)
      void ask('e')
      await turn()
      expect(sent()).toEqual([['a'], ['b', 'c', 'd'], ['e']])
    }),
  )
})

describe('while a batch is in progress and a slot is free, another one starts', () => {
  const options = { maxBatch: 3, maxConcurrent: 3, slowMs: 20 }

  test(
    'only once it would be full',
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
    'when the one in progress is slow, for a call that arrives then',
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
    'when the one in progress becomes slow, for calls that wait, even if no more arrive',
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
    'the next batch starts only once that one is slow, too',
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
    'but never more than maxConcurrent at once, however slow or full',
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
    'but only if more than one is allowed',
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

describe('calls with one key', () => {
  const keyOf = (item: string) => item.slice(0, 1)

  test('share a slot in a batch that has not been sent yet', async () => {
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
})

describe('groups', () => {
  const groupOf = (item: string) => item.slice(0, 1)

  test('do not starve: a call has its turn, however many calls of another group keep arriving', async () => {
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
    'wait for each other only until the batch in progress is slow',
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
  test.each([[undefined], [null], [false], [0], ['']])('%j is a result, too', async result => {
    const ask = coalesce<string, unknown>({ maxBatch: 10, run: async items => items.map(() => result) })
    expect(await Promise.all([ask('a'), ask('b')])).toEqual([result, result])
  })

  test.each([[[]], [['only one']], [['one', 'two', 'three']]])(
    '%j for two calls fails both: no call gets the answer of another',
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
  test('synchronously, by throwing, does so too', async () => {
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

describe('a batch that may have failed because of one item', () => {
  const retryAlone = (error: unknown) => error === 'refused'

  test('fails as a whole if retryAlone says no', async () => {
    const { ask, batches } = newStage({ retryAlone })
    const asked = outcomes(['a', 'b'].map(ask))
    await settled()
    batches[0]?.fail('lost')
    expect(await asked).toEqual(['lost', 'lost'])
    await settled()
    expect(batches).toHaveLength(1)
  })

  test('is not retried if it had a single item', async () => {
    const { ask, batches } = newStage({ retryAlone })
    const asked = outcomes([ask('a')])
    await settled()
    batches[0]?.fail('refused')
    expect(await asked).toEqual(['refused'])
    expect(batches).toHaveLength(1)
  })

  test('keeps its slot until the last of its items is answered', async () => {
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
})
