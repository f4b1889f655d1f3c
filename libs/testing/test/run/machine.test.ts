import { expect, test } from 'vitest'
import { slownessFrom, workersFor } from '../../src/run/machine.ts'

test.each([
  ['1', 1],
  ['4', 4],
  ['2.5', 2.5],
])('SVC_TEST_SLOWNESS=%s makes deadlines longer by %d', (value, factor) => {
  expect(slownessFrom(value)).toBe(factor)
})

test.each(['0', '0.5', '-4', '101', 'slow', 'Infinity'])('SVC_TEST_SLOWNESS=%s is refused', value => {
  expect(() => slownessFrom(value)).toThrow(`SVC_TEST_SLOWNESS is "${value}": give a number from 1 to 100`)
})

const gigabytes = 1024 ** 3
test.each([
  ['a quiet machine of four cores', { cores: 4, slowness: 1, memory: 16 * gigabytes }, 4],
  ['a busy machine of four cores', { cores: 4, slowness: 9, memory: 16 * gigabytes }, 3],
  ['a busy machine of two cores', { cores: 2, slowness: 9, memory: 16 * gigabytes }, 2],
  ['a large machine', { cores: 64, slowness: 1, memory: 256 * gigabytes }, 6],
  ['a quiet machine of two cores and 4 GB', { cores: 2, slowness: 1, memory: 4 * gigabytes }, 1],
  ['a machine with hardly any memory', { cores: 8, slowness: 1, memory: gigabytes }, 1],
])('%s has its number of workers', (_, machine, workers) => {
  expect(workersFor(machine)).toBe(workers)
})
