import { expect, test } from 'vitest'
import { createBlame, MAX_BLAMED } from '../../src/input-schema/threads/blame.ts'

const suspect = (at: number) => ({ workspace: 'ws_own', hash: 'hash', valuesText: `${at}` })

test('blame falls on the same workspace, schema and values', () => {
  const blame = createBlame(() => 1)
  blame.add(suspect(1))
  expect(blame.has(suspect(1))).toBe(true)
  expect(blame.has(suspect(2))).toBe(false)
  expect(blame.has({ ...suspect(1), workspace: 'ws_other' })).toBe(false)
  expect(blame.has({ ...suspect(1), hash: 'other' })).toBe(false)
  expect(blame.has({ workspace: 'ws_own', hash: 'hash' })).toBe(false)
})

test('what is remembered is bounded: the oldest is forgotten', () => {
  const blame = createBlame(() => 1)
  for (let at = 0; at <= MAX_BLAMED; at++) blame.add(suspect(at))
  expect(blame.has(suspect(0))).toBe(false)
  expect(blame.has(suspect(1))).toBe(true)
  expect(blame.has(suspect(MAX_BLAMED))).toBe(true)
})
