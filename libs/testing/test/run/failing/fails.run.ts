import fc from 'fast-check'
import { expect, test } from 'vitest'
import { showOnFailure } from '@svc/testing/recent-lines'
import { failsForSome } from './seen.ts'

const lines = Array.from({ length: 40 }, (_, n) => `offers | line ${n} of the processes`)

test('passes', () => {})

test('fails', () => {
  const hide = showOnFailure(() => lines)
  expect(1).toBe(2)
  hide()
})

test('fails for some numbers', () => {
  fc.assert(failsForSome, { endOnFailure: true })
})
