import fc from 'fast-check'
import { expect, test } from 'vitest'
import { showOnFailure } from '@svc/testing/recent-lines'

const lines = Array.from({ length: 40 }, (_, n) => `offers | line ${n} of the processes`)

test('passes', () => {})

test('fails', () => {
  const hide = showOnFailure(() => lines)
  expect(1).toBe(2)
  hide()
})

test('fails for some numbers', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 0, max: 1_000_000 }), (a, b) => {
      if (a > 1000 && b > 1000) throw new Error(`seen ${a} ${b}`)
    }),
    { endOnFailure: true },
  )
})
