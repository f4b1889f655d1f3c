import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { revokeFirst } from '../src/contestants/revocations.ts'
import { startLoop } from '../src/load/loop.ts'

const never = () => new Promise<never>(() => {})

test('acts are due one after the other at the rate, and none begins before, however long others take', () =>
  onOwnClock(async clock => {
    const began = performance.now()
    const begun: { due: number; at: number }[] = []
    const act = (_lane: number, dueAt: number) => {
      begun.push({ due: dueAt - began, at: performance.now() - began })
      return never()
    }
    startLoop({ lanes: 20, perSecond: 200, what: 'acts', act }).failure.catch(() => {})
    for (let count = 1; count <= 10; count++) {
      expect(begun).toHaveLength(count)
      await clock.tickAsync(5)
    }
    expect(begun.map(({ due }) => due)).toEqual(begun.map((_, index) => index * 5))
    expect(begun.map(({ at }) => at)).toEqual(begun.map(({ due }) => due))
  }))

test('an act that waits for a lane keeps the time at which it was due', () =>
  onOwnClock(async clock => {
    const due: number[] = []
    const ends: (() => void)[] = []
    const began = performance.now()
    const loop = startLoop({
      ...{ lanes: 1, perSecond: 100, what: 'acts' },
      act(_lane, dueAt) {
        due.push(dueAt - began)
        return new Promise<void>(end => ends.push(end))
      },
    })
    await clock.tickAsync(300)
    ends.shift()?.()
    await clock.tickAsync(0)
    expect(due).toEqual([0, 10])
    ends.shift()?.()
    const stopped = loop.stop()
    await clock.tickAsync(0)
    await stopped
  }))

test('a loop that is stopped waits for what is in progress, and begins nothing more', () =>
  onOwnClock(async clock => {
    let [begun, ended] = [0, 0]
    const loop = startLoop({
      ...{ lanes: 3, perSecond: 1000, what: 'acts' },
      async act() {
        begun++
        await new Promise(done => setTimeout(done, 2))
        ended++
      },
    })
    await loop.during(clock.tickAsync(20))
    const endedByThen = loop.stop().then(() => ended)
    const begunByThen = begun
    await clock.tickAsync(20)
    expect(begunByThen).toBeGreaterThan(10)
    expect([await endedByThen, begun]).toEqual([begunByThen, begunByThen])
  }))

test.each([
  { what: 'a revocation that fails', ids: Array(100).fill('tok'), says: 'refused' },
  { what: 'no token left', ids: [], says: 'no token left' },
])('$what ends the window', async ({ ids, says }) => {
  const act = revokeFirst(() => Promise.reject(new Error('refused')), [...ids])
  const loop = startLoop({ lanes: 4, perSecond: 500, what: 'revocations', act })
  await expect(loop.during(never())).rejects.toThrow(says)
  await expect(loop.stop()).rejects.toThrow(says)
})

test('acts that fall a second behind their rate end the window', () =>
  onOwnClock(async clock => {
    const act = () => new Promise(done => setTimeout(done, 100))
    const loop = startLoop({ lanes: 1, perSecond: 200, what: 'acts', act })
    const failed = expect(loop.failure).rejects.toThrow('200 acts a second are more than it can do')
    await clock.tickAsync(2000)
    await failed
  }))
