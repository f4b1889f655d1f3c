import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { startBeside } from '../src/load/beside.ts'

test('what is in progress is waited for', () =>
  onOwnClock(async clock => {
    let ended = 0
    let inProgress = 0
    const beside = startBeside(
      async () => {
        inProgress++
        await new Promise(setImmediate)
        ended++
        inProgress--
      },
      500,
      'steps',
    )
    const twenty = async () => {
      while (ended < 20) await clock.tickAsync(2)
    }
    await beside.during(twenty())
    await beside.stop()
    expect(inProgress).toBe(0)
  }))

test('a failure ends the window', async () => {
  const beside = startBeside(() => Promise.reject(new Error('refused')), 500, 'steps')
  await expect(beside.during(new Promise(() => {}))).rejects.toThrow('refused')
  await expect(beside.stop()).rejects.toThrow('refused')
})

test('falling behind the rate ends the window', async () => {
  const slow = () => new Promise(done => setTimeout(done, 100))
  const beside = startBeside(slow, 200, 'steps')
  await expect(beside.during(new Promise(() => {}))).rejects.toThrow(
    '200 steps a second are more than it can do',
  )
})
