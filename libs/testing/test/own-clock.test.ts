// A test's own clock does not affect what the other tests of a worker depend on.
import { onOwnClock } from '@svc/testing/own-clock'
import { expect, onTestFinished, test } from 'vitest'

const turn = () => new Promise(setImmediate)

test('timers that a test starts stand still until the clock is moved, and can be cleared from anywhere', async () => {
  const fired: string[] = []
  const late = await onOwnClock(async clock => {
    setTimeout(() => fired.push('a'), 1000)
    await turn()
    const every = setInterval(() => fired.push('b'), 400)
    const began = performance.now()
    await clock.tickAsync(999)
    expect(performance.now() - began).toBe(999)
    expect(fired).toEqual(['b', 'b'])
    clock.tick(1)
    expect(fired).toEqual(['b', 'b', 'a'])
    clearInterval(every)
    const late = setTimeout(() => fired.push('c'), 1)
    queueMicrotask(() => clearTimeout(late))
    await turn()
    clock.tick(1000)
    expect(fired).toHaveLength(3)
    return setTimeout(() => fired.push('d'), 1)
  })
  clearTimeout(late)
})

test('timers that were started before go on, and so do those that they start', async () => {
  let fired = 0
  let resolve = () => {}
  const thrice = new Promise<void>(done => (resolve = done))
  const ring = () => {
    if (++fired === 3) resolve()
    else setTimeout(ring, 1)
  }
  setTimeout(ring, 1)
  const other = setInterval(() => {}, 1000)
  onTestFinished(() => clearInterval(other))
  await onOwnClock(async () => {
    const before = performance.now()
    await thrice
    expect(performance.now()).toBe(before)
    clearInterval(other)
  })
  expect((other as unknown as { _destroyed: boolean })._destroyed).toBe(true)
})

test('everything is restored afterwards, even after a failure', async () => {
  const { setTimeout, clearInterval } = globalThis
  const { now } = performance
  await expect(onOwnClock(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect([globalThis.setTimeout, globalThis.clearInterval, performance.now]).toEqual([
    setTimeout,
    clearInterval,
    now,
  ])
})
