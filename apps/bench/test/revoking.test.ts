import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { startRevoking } from '../src/contestants/revoking.ts'

test('each token is revoked once, and those in progress are waited for', () =>
  onOwnClock(async clock => {
    const revoked: string[] = []
    const ids = Array.from({ length: 100 }, (_, index) => `tok_${index}`)
    let inProgress = 0
    const revocations = startRevoking(
      async id => {
        inProgress++
        await new Promise(setImmediate)
        revoked.push(id)
        inProgress--
      },
      ids,
      500,
    )
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
  const revocations = startRevoking(() => Promise.reject(new Error('refused')), [...ids], 500)
  await expect(revocations.during(new Promise(() => {}))).rejects.toThrow(says)
  await expect(revocations.stop()).rejects.toThrow(says)
})

test('revocations that fall behind the rate end the window', async () => {
  const ids = Array.from({ length: 100 }, (_, index) => `tok_${index}`)
  const slow = () => new Promise(done => setTimeout(done, 100))
  const revocations = startRevoking(slow, ids, 200)
  await expect(revocations.during(new Promise(() => {}))).rejects.toThrow('more than it can do')
})
