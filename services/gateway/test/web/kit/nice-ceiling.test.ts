import { expect, test } from 'vitest'
import { niceCeiling } from '../../../src/web/kit/ui/nice-ceiling.ts'

test.each([
  [1, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [10, 10],
  [11, 20],
  [40, 40],
  [41, 100],
  [100, 100],
  [1000, 1000],
])('an axis up to %i ends at %i, and has a whole number in the middle', (most, ceiling) => {
  expect(niceCeiling(most)).toBe(ceiling)
  expect(ceiling % 2).toBe(0)
})
