import { expect, test } from 'vitest'
import { createBlame, maxBlamed } from '../../src/input-schema/threads/blame.ts'

const suspect = (at: number) => ({ workspace: 'ws_own', hash: 'hash', valuesText: `${at}` })

test('blame covers the same workspace, schema and values only', () => {
  const blame = createBlame(() => 1)
  blame.add(suspect(1))
  expect(blame.has(suspect(1))).toBe(true)
  expect(blame.has(suspect(2))).toBe(false)
  expect(blame.has({ ...suspect(1), workspace: 'ws_other' })).toBe(false)
  expect(blame.has({ ...suspect(1), hash: 'other' })).toBe(false)
  expect(blame.has({ workspace: 'ws_own', hash: 'hash' })).toBe(false)
})

test('the memory is bounded: the oldest entry is dropped', () => {
  const blame = createBlame(() => 1)
  for (let at = 0; at <= maxBlamed; at++) blame.add(suspect(at))
  expect(blame.has(suspect(0))).toBe(false)
  expect(blame.has(suspect(1))).toBe(true)
  expect(blame.has(suspect(maxBlamed))).toBe(true)
})
