import { waitUntil } from '@svc/local/wait-until'
import { describe, expect, test } from 'vitest'
import { type CoalesceOptions, coalesce } from '../src/coalesce.ts'

interface Batch {
  readonly items: string[]
  answer(results?: string[]): void
  fail(reason: unknown): void
}

/** Batches that the test answers by hand. */
function newStage(options: Partial<CoalesceOptions<string, string>> = {}) {
  const batches: Batch[] = []
  const ask = coalesce<string, string>({
    maxBatch: 10,
    maxConcurrent: 1,
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

test('the first call is sent at once, alone', () => {
  const { ask, sent } = newStage()
  void ask('a')
  void ask('b')
  expect(sent()).toEqual([['a']])
})

test('what comes while a batch is under way never joins it, and forms the next one', async () => {
  const { ask, batches, sent } = newStage()
  const first = ask('a')
  const others = ['b', 'c'].map(ask)
  await turn()
  expect(sent()).toEqual([['a']])
  batches[0]?.answer()
  expect(await first).toBe('a!')
  await turn()
  expect(sent()).toEqual([['a'], ['b', 'c']])
  batches[1]?.answer()
  expect(await Promise.all(others)).toEqual(['b!', 'c!'])
})

describe('calls with one key', () => {
  const keyOf = (item: string) => item

  test('share a place in the batch that is still to be sent', async () => {
    const { ask, batches, sent } = newStage({ keyOf })
    void ask('x')
    const shared = [ask('a'), ask('a'), ask('b'), ask('a')]
    batches[0]?.answer()
    await turn()
    expect(sent()).toEqual([['x'], ['a', 'b']])
    batches[1]?.answer()
    expect(await Promise.all(shared)).toEqual(['a!', 'a!', 'b!', 'a!'])
  })

  test('never share one that has been sent: its answer may be older than the question', async () => {
    const { ask, batches, sent } = newStage({ keyOf })
    const before = ask('a')
    const after = ask('a')
    batches[0]?.answer(['old'])
    expect(await before).toBe('old')
    await turn()
    expect(sent()).toEqual([['a'], ['a']])
    batches[1]?.answer(['new'])
    expect(await after).toBe('new')
  })

  test('do not share it either when several batches are under way', async () => {
    const { ask, batches, sent } = newStage({ keyOf, maxConcurrent: 3 })
    const asked = [ask('a'), ask('a'), ask('a'), ask('a'), ask('a')]
    expect(sent()).toEqual([['a'], ['a'], ['a']])
    batches[1]?.answer(['second'])
    await turn()
    expect(sent()).toEqual([['a'], ['a'], ['a'], ['a']])
    for (const batch of batches) batch.answer(['other'])
    expect(await Promise.all(asked)).toEqual(['other', 'second', 'other', 'other', 'other'])
  })
})

test('a batch holds at most maxBatch items, and at most maxConcurrent are under way', async () => {
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

describe('a batch that fails', () => {
  test('fails its own calls, and the next one is sent', async () => {
    const { ask, batches } = newStage()
    const first = ask('a')
    const next = [ask('b'), ask('c')]
    batches[0]?.fail(new Error('no'))
    await expect(first).rejects.toThrow('no')
    await waitUntil('the next batch', () => batches.length === 2, { everyMs: 1 })
    batches[1]?.answer()
    expect(await Promise.all(next)).toEqual(['b!', 'c!'])
  })

  test('at once, by a throw, does so too', async () => {
    const ask = coalesce<string, string>({
      maxBatch: 1,
      maxConcurrent: 1,
      run: () => {
        throw new Error('at once')
      },
    })
    await expect(ask('a')).rejects.toThrow('at once')
    await expect(ask('b')).rejects.toThrow('at once')
  })

  test.each([[[]], [['only one']], [['one', 'two', 'three']]])(
    'to answer each of its two calls (%j) fails them all: nobody gets the answer of another',
    async results => {
      const { ask, batches } = newStage()
      const first = ask('x')
      const asked = Promise.allSettled([ask('a'), ask('b')])
      batches[0]?.answer()
      await first
      await turn()
      batches[1]?.answer(results)
      expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    },
  )
})
