// Periods end on the day of the month of the first payment, or on the last day of a month that has no such day.
import { forFile } from '@svc/testing/for-file'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sized } from '@svc/testing/size'
import { shareBench } from '../in-process.ts'

const bench = forFile(shareBench)

const seconds = (at: string) => Date.parse(at) / 1000

async function periodEnd(first: number, interval: 'month' | 'year', after: number): Promise<number> {
  const [row] = await bench.sql`select offers.period_end(${first}, ${interval}, ${after}) as at`
  return Number(row?.at)
}

test.each([
  ['month', '2026-01-31T10:00:00Z', ['2026-02-28T10:00:00Z', '2026-03-31T10:00:00Z', '2026-04-30T10:00:00Z']],
  ['month', '2028-01-30T00:00:00Z', ['2028-02-29T00:00:00Z', '2028-03-30T00:00:00Z']],
  ['month', '2026-12-31T23:59:59Z', ['2027-01-31T23:59:59Z', '2027-02-28T23:59:59Z']],
  [
    'year',
    '2028-02-29T08:00:00Z',
    ['2029-02-28T08:00:00Z', '2030-02-28T08:00:00Z', '2031-02-28T08:00:00Z', '2032-02-29T08:00:00Z'],
  ],
] as const)('each %s from %s on ends at its boundary', async (interval, first, ends) => {
  let after = seconds(first)
  for (const end of ends) {
    after = await periodEnd(seconds(first), interval, after)
    expect(new Date(after * 1000).toISOString()).toBe(end.replace('Z', '.000Z'))
  }
})

const second = fc.integer({ min: seconds('2020-01-01T00:00:00Z'), max: seconds('2060-01-01T00:00:00Z') })

test('from any moment on the next boundary is the first one that is later', async () => {
  await fc.assert(
    fc.asyncProperty(second, fc.constantFrom('month', 'year'), second, async (first, interval, after) => {
      const boundaries = Array.from({ length: 500 }, (_, n) =>
        boundary(first, (n + 1) * (interval === 'year' ? 12 : 1)),
      )
      expect(await periodEnd(first, interval, after)).toBe(boundaries.find(at => at > after))
    }),
    { numRuns: sized(100, 2000) },
  )
})

function boundary(first: number, months: number): number {
  const at = new Date(first * 1000)
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months + 1, 0)).getUTCDate()
  const day = Math.min(at.getUTCDate(), lastDay)
  return (
    Date.UTC(
      at.getUTCFullYear(),
      at.getUTCMonth() + months,
      day,
      at.getUTCHours(),
      at.getUTCMinutes(),
      at.getUTCSeconds(),
    ) / 1000
  )
}
