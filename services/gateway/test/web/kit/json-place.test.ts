// Where a text stops being JSON, which no two engines say alike.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonProblem } from '../../../src/web/kit/forms/json-place.ts'

test.each([
  ['{"type":', 'it ends too early, at line 1, column 9'],
  ['{"a":1,}', 'look at “}” in line 1, column 8'],
  ['{\n  "a": tru\n}', 'look at “t” in line 2, column 8'],
  ['{\r\n"a" 1}', 'look at “1” in line 2, column 5'],
  ['[1 2]', 'look at “2” in line 1, column 4'],
  ['{a:1}', 'look at “a” in line 1, column 2'],
  ["{'a':1}", "look at “'” in line 1, column 2"],
  ['[1,]', 'look at “]” in line 1, column 4'],
  ['[1}', 'look at “}” in line 1, column 3'],
  ['{} x', 'look at “x” in line 1, column 4'],
  ['01', 'look at “0” in line 1, column 1'],
  ['{"a":"b', 'look at “"” in line 1, column 6'],
  ['"a\nb"', 'look at “"” in line 1, column 1'],
  ['"\\x"', 'look at “"” in line 1, column 1'],
  ['😀', 'look at “😀” in line 1, column 1'],
])('%j', (text, said) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(jsonProblem(text)).toBe(`This is not JSON: ${said}.`)
})

test('JSON is read to its end, however it is laid out, and what comes after it is found', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
      const text = JSON.stringify([value], null, indent)
      const lines = text.split('\n')
      const place = `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
      expect(jsonProblem(`${text}?`)).toBe(`This is not JSON: look at “?” in ${place}.`)
      expect(jsonProblem(text.slice(0, -1))).toContain('it ends too early')
    }),
  )
})

test('a text as long as a schema may be is read at once, however deep or long its parts are', () => {
  const most = 384 * 1024
  for (const text of [
    '['.repeat(most),
    `"${'a'.repeat(most)}`,
    `"${'\\'.repeat(most)}`,
    '1'.repeat(most),
    '{"":'.repeat(most / 4),
  ])
    expect(jsonProblem(text)).toContain('This is not JSON')
})
