import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { revokeFirst } from '../src/contestants/revocations.ts'
import { startBeside } from '../src/load/beside.ts'

test('each token is revoked once, and those in progress are waited for', () =>
  onOwnClock(async clock => {
    const revoked: string[] = []
    const ids = Array.from({ length: 100 }, (_, index) => `tok_${index}`)
    let inProgress = 0
    const revoke = async (id: string) => {
      inProgress++
      await new Promise(setImmediate)
      revoked.push(id)
      inProgress--
    }
    const revocations = startBeside(revokeFirst(revoke, ids), 500, 'revocations')
    const twenty = async () => {
      while (revoked.length < 20) await clock.tickAsync(2)
    }
    await revocations.during(twenty())
    await revocations.stop()
    expect(inProgress).toBe(0)
    expect(new Set(revoked).size).toBe(revoked.length)
    expect(ids).toHaveLength(100 - revoked.length)
  }))

test.each([
  { what: 'a revocation that fails', ids: ['tok_1'], says: 'refused' },
  { what: 'no token left', ids: [], says: 'no token left' },
])('$what ends the window', async ({ ids, says }) => {
  const act = revokeFirst(() => Promise.reject(new Error('refused')), [...ids])
  const revocations = startBeside(act, 500, 'revocations')
  await expect(revocations.during(new Promise(() => {}))).rejects.toThrow(says)
  await expect(revocations.stop()).rejects.toThrow(says)
})

test('falling behind the rate ends the window', async () => {
  const slow = () => new Promise(done => setTimeout(done, 100))
  const beside = startBeside(slow, 200, 'steps')
  await expect(beside.during(new Promise(() => {}))).rejects.toThrow(
    '200 steps a second are more than it can do',
  )
})
