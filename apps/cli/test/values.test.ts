// How options, addresses and texts are parsed and printed.
import { describe, expect, test } from 'vitest'
import { isUnprotected, parseBaseUrl, rootOf } from '../src/base-url.ts'
import { fit, widthOf, wrap } from '../src/terminal/fit.ts'
import { parseDuration, parseTime, timeText } from '../src/parse-values.ts'
import { printable } from '../src/terminal/printable.ts'
import { detailsText, listText } from '../src/terminal/table.ts'

test.each([
  ['http://localhost:8080', 'http://localhost:8080/v1'],
  ['http://localhost:8080/', 'http://localhost:8080/v1'],
  ['http://localhost:8080/v1/', 'http://localhost:8080/v1'],
  ['https://API.example.com:443/v1', 'https://api.example.com/v1'],
  ['https://example.com/svc', 'https://example.com/svc/v1'],
])('the address %s is %s', (given, expected) => {
  const baseUrl = parseBaseUrl(given, 'it')
  expect(baseUrl).toBe(expected)
  expect(parseBaseUrl(rootOf(baseUrl), 'it')).toBe(expected)
})

test.each([
  '',
  'localhost',
  'ftp://x.example',
  'http://u:p@x.example',
  'https://x.example/?a',
  'https://x.example/#a',
])('%j is not the address of an API', given => {
  expect(() => parseBaseUrl(given, 'it')).toThrow(/^it (is not|must have)/)
})

test.each([
  ['http://localhost:8080/v1', false],
  ['http://127.0.0.2/v1', false],
  ['http://[::1]:80/v1', false],
  ['https://x.example/v1', false],
  ['http://x.example/v1', true],
  ['http://localhost.x.example/v1', true],
])('what is sent to %s can be read on the way: %s', (baseUrl, expected) => {
  expect(isUnprotected(baseUrl)).toBe(expected)
})

test.each([
  ['90', 90],
  ['90s', 90],
  ['10m', 600],
  ['1h', 3600],
  ['7d', 604_800],
])('the duration %s has %d seconds', (given, expected) => {
  expect(parseDuration(given)).toBe(expected)
})

test.each(['', '-1', '1.5h', '1w', '1 h', 'h'])('%j is not a duration', given => {
  expect(() => parseDuration(given)).toThrow()
})

describe('times', () => {
  test.each([
    ['1893456000', 1893456000],
    ['2030-01-01', 1893456000],
    ['2030-01-01T00:00:00Z', 1893456000],
    ['2030-01-01T01:00:00+01:00', 1893456000],
  ])('%s', (given, expected) => {
    expect(parseTime(given)).toBe(expected)
  })

  test('a duration is counted from now', () => {
    const before = Math.floor(Date.now() / 1000)
    const tomorrow = parseTime('1d')
    expect(tomorrow).toBeGreaterThanOrEqual(before + 86_400)
    expect(tomorrow).toBeLessThanOrEqual(Date.now() / 1000 + 86_401)
  })

  test.each(['', 'tomorrow', '2030-13-01', '30 d', '1-1-2030'])('%j is not a time', given => {
    expect(() => parseTime(given)).toThrow()
  })

  test('are printed in ISO 8601', () => {
    expect([timeText(1893456000), timeText(null)]).toEqual(['2030-01-01T00:00:00Z', null])
  })

  test.each([8_640_000_000_001, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER])(
    '%d, which is beyond the calendar, is printed as it is',
    seconds => {
      expect(timeText(seconds)).toBe(String(seconds))
    },
  )
})

test.each([
  ['plain', 'plain'],
  ['\u001b]0;title\u0007', '\\u001b]0;title\\u0007'],
  ['a\r\nb\tc', 'a\\r\\nb\\tc'],
  ['\u009b31m', '\\u009b31m'],
  ['evil\u202egnp', 'evil\\u202egnp'],
  ['株式会社 🚀 é', '株式会社 🚀 é'],
])('%j is printed as %j', (given, expected) => {
  expect(printable(given)).toBe(expected)
})

test.each([
  ['short', 10, 'short'],
  ['exactly ten', 11, 'exactly ten'],
  ['much too long', 5, 'much…'],
  ['株式会社', 5, '株式…'],
  ['👩‍🚀👩‍🚀👩‍🚀', 5, '👩‍🚀👩‍🚀…'],
])('%s in %d columns is %s', (text, width, expected) => {
  expect(fit(text, width)).toBe(expected)
  expect(widthOf(fit(text, width))).toBeLessThanOrEqual(width)
})

test('wrapping splits no character and loses nothing', () => {
  const text = 'a株👩‍🚀式b会社é'.repeat(5)
  const lines = wrap(text, 7)
  expect(lines.join('')).toBe(text)
  for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(7)
})

test('a table may have more rows than a call may have arguments', () => {
  const terminal = { columns: 80, dumb: true, style: (_: string, text: string) => text }
  const names = Array.from({ length: 200_000 }, () => 'a')
  const lines = listText(terminal, [{ name: 'name', value: (name: string) => name }], names, 'names').split(
    '\n',
  )
  expect(lines.slice(0, 2)).toEqual(['name', 'a'])
  expect(lines.length).toBe(names.length + 2)
})

test('a text of several lines keeps them on a terminal, indented and without control characters', () => {
  const terminal = { columns: 80, dumb: true, style: (_: string, text: string) => text }
  const columns = [{ name: 'instructions', value: (text: string) => text }]
  const text = 'Run\n\nid\t\u001b[31m x\n'
  expect(detailsText(terminal, columns, text)).toBe('instructions\n  Run\n\n  id\\t\\u001b[31m x\n')
  expect(detailsText({ ...terminal, columns: undefined }, columns, text)).toBe(
    'instructions\tRun\\n\\nid\\t\\u001b[31m x\\n\n',
  )
})
