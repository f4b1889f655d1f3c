import { expect, test } from 'vitest'
import { median, mediansByName, percentile, ratio, rotate } from '../src/report/statistics.ts'

test.each([
  { values: [3], middle: 3 },
  { values: [9, 1, 5], middle: 5 },
  { values: [10, 9, 1, 2], middle: 5.5 },
  { values: [100, 20, 3, 1000, 4], middle: 20 },
])('the median of $values is $middle', ({ values, middle }) => {
  expect(median(values)).toBe(middle)
})

test('the median of nothing is NaN, and the values keep their order', () => {
  const values = [3, 1, 2]
  median(values)
  expect(values).toEqual([3, 1, 2])
  expect(median([])).toBeNaN()
})

test('a percentile is the least value that so many do not exceed', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect([50, 95, 100].map(part => percentile(hundred, part))).toEqual([50, 95, 100])
  expect([percentile([7], 50), percentile([], 50)]).toEqual([7, Number.NaN])
})

test('medians by name leave out what is not in every round', () => {
  expect(mediansByName([{ a: 1, b: 5 }, { a: 3 }, { a: 2, b: 7 }])).toEqual({ a: 2 })
  expect(mediansByName([])).toEqual({})
})

test.each([
  { part: 6, whole: 4, is: 1.5 },
  { part: 0, whole: 4, is: 0 },
  { part: 6, whole: 0, is: undefined },
  { part: 6, whole: undefined, is: undefined },
  { part: undefined, whole: 4, is: undefined },
  { part: Number.NaN, whole: 4, is: undefined },
  { part: 6, whole: Number.NaN, is: undefined },
])('$part in units of $whole is $is', ({ part, whole, is }) => {
  expect(ratio(part, whole)).toBe(is)
})

test('a rotation has the same items, but begins with another one', () => {
  expect(rotate(['a', 'b', 'c'], 0)).toEqual(['a', 'b', 'c'])
  expect(rotate(['a', 'b', 'c'], 4)).toEqual(['b', 'c', 'a'])
  expect(rotate([], 3)).toEqual([])
})
