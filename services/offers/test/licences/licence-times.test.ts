import fc from 'fast-check'
import { expect, test } from 'vitest'
import { licenceTimes } from '../../src/licences/licence-times.ts'

const day = 86_400
const now = fc.integer({ min: 1_600_000_000, max: 4_000_000_000 })
const paid = fc.record({
  state: fc.constantFrom(null, 'active', 'past_due', 'lapsed', 'ended'),
  grace: fc.option(fc.integer({ min: -400 * day, max: 460 * day })),
  licence_days: fc.integer({ min: 1, max: 400 }),
})

test('a licence ends by the grace or, while active, in three days, and is to be renewed before that', () => {
  fc.assert(
    fc.property(now, paid, (at, { state, grace, licence_days }) => {
      // Past due is only what still has grace.
      fc.pre(state !== 'past_due' || (grace !== null && grace > 0))
      const grace_until = state === null || grace === null ? null : at + grace
      const times = licenceTimes({ state, grace_until, licence_days }, at)
      if (state === 'lapsed' || state === 'ended') {
        expect(times).toBeUndefined()
        return
      }
      const { iat, exp, renew_after } = times ?? { iat: 0, exp: 0, renew_after: 0 }
      const least = state === 'active' ? at + 3 * day : 0
      const bound = grace_until === null ? at + licence_days * day : Math.max(grace_until, least)
      expect(iat).toBe(at)
      expect(exp).toBe(bound)
      expect(exp).toBeGreaterThan(at)
      expect(renew_after).toBeGreaterThanOrEqual(at)
      expect(renew_after).toBeLessThan(exp)
    }),
    { numRuns: 2000 },
  )
})
