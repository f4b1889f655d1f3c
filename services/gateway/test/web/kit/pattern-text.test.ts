import { expect, test } from 'vitest'
import { patternText } from '../../../src/web/kit/offers/pattern-text.ts'

test.each([
  ['^[a-z0-9.-]+$', 'use lowercase letters, digits, dots and hyphens'],
  ['^[a-z0-9-]*$', 'use lowercase letters, digits and hyphens'],
  ['^[A-Za-z0-9_]+$', 'use letters, digits and underscores'],
  ['^[a-zA-Z \\-]+$', 'use letters, hyphens and spaces'],
  ['^[0-9]+$', 'use only digits'],
  ['^[\\d]+$', 'use only digits'],
  ['^[a-f0-9]+$', 'must match the pattern ^[a-f0-9]+$'],
  ['^[a-z][a-z0-9-]*$', 'must match the pattern ^[a-z][a-z0-9-]*$'],
  ['^[^a-z]+$', 'must match the pattern ^[^a-z]+$'],
  ['[a-z]+', 'must match the pattern [a-z]+'],
])('describes %s in words if they mean the same: %s', (pattern, text) => {
  expect(patternText({ pattern })).toBe(text)
})

test('the seller’s description comes first', () => {
  expect(patternText({ pattern: '^[a-z]+$', description: ' A short name. ' })).toBe('A short name')
  expect(patternText({ pattern: '^[a-z]+$', description: ' ' })).toBe('use only lowercase letters')
})
