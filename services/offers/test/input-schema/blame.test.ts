import { expect, test } from 'vitest'
import { createBlame, maxBlamed } from '../../src/input-schema/threads/blame.ts'

const suspect = (id: number) => ({ workspace: 'ws_own', hash: 'hash', valuesText: `${id}` })

test('only the same values for the same schema from the same workspace are blamed', () => {
  const blame = createBlame(() => 1)
  blame.add(suspect(1))
  expect(blame.has(suspect(1))).toBe(true)
  expect(blame.has(suspect(2))).toBe(false)
  expect(blame.has({ ...suspect(1), workspace: 'ws_other' })).toBe(false)
  expect(blame.has({ ...suspect(1), hash: 'other' })).toBe(false)
  expect(blame.has({ workspace: 'ws_own', hash: 'hash' })).toBe(false)
})

test('the number of remembered suspects is bounded: the oldest is forgotten', () => {
  const blame = createBlame(() => 1)
  for (let id = 0; id <= maxBlamed; id++) blame.add(suspect(id))
  expect(blame.has(suspect(0))).toBe(false)
  expect(blame.has(suspect(1))).toBe(true)
  expect(blame.has(suspect(maxBlamed))).toBe(true)
})
