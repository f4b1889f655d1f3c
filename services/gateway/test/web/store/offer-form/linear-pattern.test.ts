// Which of the sellers' patterns are run in a customer's browser, which backtracks.
import { expect, test } from 'vitest'
import { isHarmless, longestMatched } from '../../../../src/web/store/offer-form/linear-pattern.ts'

test.each([
  '',
  '^[a-z][a-z0-9-]*$',
  '^\\w+@\\w+$',
  '^[A-Z]{2}[0-9]{4,12}$',
  '^(foo|bar)-\\d+$',
  '^(https?)://[^/]+$',
  '^(abc){2,5}$',
  '^\\(a\\|b\\)*$',
  '^[(|+*]*$',
  '^a?b?c?d?$',
])('%j is run', pattern => expect(isHarmless(pattern)).toBe(true))

test.each([
  '(',
  '(?i)a',
  '^(a+)+$',
  '^(a*)*$',
  '^(a|a)*$',
  '^(a|ab){2,}$',
  '^((a+))*$',
  '^((a|b)c)*$',
  '^(a?){50}$',
  'a*a*b',
  '^a*a*a*b',
  `^${'a?'.repeat(30)}!`,
  '.*.*.*=',
  '^(a{1,19}){1,19}$',
  '^(?:x{2,})+$',
  '^(([a-z]+)\\.)+$',
  `${'a?'.repeat(30)}${'a'.repeat(30)}`.repeat(9),
])('%j is not', pattern => expect(isHarmless(pattern)).toBe(false))

test.each([
  '^\\w+@\\w+$',
  '[a-z]*!',
  '^[a-z]*[a-z]*!',
  '[a-z]{21,}!',
  `^${'a?'.repeat(20)}!`,
  `^${'a?'.repeat(12)}a*!`,
  `^(${'a|'.repeat(40)}aa)(aa|a|aaa)a*a!`,
])('%j is run, and comes to an end on the longest string, which does not match', pattern => {
  expect(isHarmless(pattern)).toBe(true)
  expect(new RegExp(pattern, 'u').test('a'.repeat(longestMatched))).toBe(false)
})
