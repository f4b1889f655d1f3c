// Work of one key is done in turns, that of others at once.
import { unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createTurns } from '../src/turns.ts'

/** Work that is begun and ended by hand. */
function newWork(name: string, begun: string[]) {
  let end!: (outcome: Promise<string>) => void
  const ended = new Promise<string>(resolve => {
    end = resolve
  })
  return {
    work: () => {
      begun.push(name)
      return ended
    },
    end: () => end(Promise.resolve(name)),
    fail: () => end(Promise.reject(new Error(name))),
  }
}

const settled = () => new Promise(setImmediate)

test('work of one key begins when what came before it is done, however that ended, and in its order', async () => {
  const inTurn = createTurns()
  const begun: string[] = []
  const [first, second, third] = ['first', 'second', 'third'].map(name => newWork(name, begun)) as [
    ReturnType<typeof newWork>,
    ReturnType<typeof newWork>,
    ReturnType<typeof newWork>,
  ]
  const all = [first, second, third].map(({ work }) => inTurn('key', unhurried(), work))
  const ends = Promise.allSettled(all)
  third.end()
  second.end()
  await settled()
  expect(begun).toEqual(['first'])
  first.fail()
  expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  await expect(all[0]).rejects.toThrow('first')
  expect(begun).toEqual(['first', 'second', 'third'])
})

test('work of other keys does not wait', async () => {
  const inTurn = createTurns()
  const begun: string[] = []
  const held = newWork('held', begun)
  const waiting = inTurn('a', unhurried(), held.work)
  expect(await inTurn('b', unhurried(), async () => 'done')).toBe('done')
  held.end()
  expect(await waiting).toBe('held')
})

test('a caller that has waited too long is refused without being served, and later callers still have to wait', async () => {
  const inTurn = createTurns()
  const begun: string[] = []
  const [held, late, next] = ['held', 'late', 'next'].map(name => newWork(name, begun)) as [
    ReturnType<typeof newWork>,
    ReturnType<typeof newWork>,
    ReturnType<typeof newWork>,
  ]
  const holding = inTurn('key', unhurried(), held.work)
  await expect(inTurn('key', Date.now() + 20, late.work)).rejects.toMatchObject({
    tag: 'Unavailable',
    reason: 'overloaded',
  })
  const waiting = inTurn('key', unhurried(), next.work)
  await settled()
  expect(begun).toEqual(['held'])
  held.end()
  next.end()
  expect(await Promise.all([holding, waiting])).toEqual(['held', 'next'])
  expect(begun).toEqual(['held', 'next'])
})

test('a turn that is over is not waited for', async () => {
  const inTurn = createTurns()
  await inTurn('key', unhurried(), async () => {})
  await settled()
  const begun: string[] = []
  const work = newWork('at once', begun)
  const answer = inTurn('key', Date.now() - 1, work.work)
  expect(begun).toEqual(['at once'])
  work.end()
  expect(await answer).toBe('at once')
})
