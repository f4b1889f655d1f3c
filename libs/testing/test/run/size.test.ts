import { expect, test } from 'vitest'
import { slownessFrom } from '../../src/size.ts'

test.each([
  [undefined, 1],
  ['', 1],
  ['1', 1],
  ['4', 4],
  ['2.5', 2.5],
])('SVC_TEST_SLOWNESS=%s widens deadlines by %d', (value, factor) => {
  expect(slownessFrom(value)).toBe(factor)
})

test.each(['0', '0.5', '-4', '101', 'slow', 'Infinity'])('SVC_TEST_SLOWNESS=%s is refused', value => {
  expect(() => slownessFrom(value)).toThrow(`SVC_TEST_SLOWNESS is "${value}": give a number from 1 to 100`)
})
