import { anyCharacter } from '@svc/testing/any-character'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { workspaceName } from '../src/core/display-name.ts'
import { serviceNames, manifest } from '../src/manifest.ts'
import type { Operation } from '../src/core/operation.ts'
import {
  anyText,
  linesText,
  nameText,
  pageQuery,
  queryInteger,
  text,
  unixSeconds,
  wireId,
} from '../src/core/text.ts'

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('text', () => {
  test.each<[string, 0 | 1, number, string, boolean]>([
    ['nothing where nothing is allowed', 0, 5, '', true],
    ['nothing where one is required', 1, 5, '', false],
    ['one character', 1, 5, 'a', true],
    ['as many as allowed', 1, 5, 'aaaaa', true],
    ['one too many', 1, 5, 'aaaaaa', false],
    ['five emoji, which are ten UTF-16 units', 1, 5, '🚀🚀🚀🚀🚀', true],
    ['six emoji', 1, 5, '🚀🚀🚀🚀🚀🚀', false],
    ['combining characters, each of which counts', 1, 3, 'e\u0301e\u0301', false],
    ['an emoji of a whole family, which is seven', 1, 7, '👨‍👩‍👧‍👦', true],
    ['white space', 1, 5, '   ', true],
  ])('counts code points: %s', (_, min, max, value, expected) => {
    expect(takes(text(min, max), value)).toBe(expected)
  })

  test('counts as [...text].length does, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter, maxLength: 12 }),
        fc.integer({ min: 0, max: 12 }),
        (value, max) => {
          const { length } = [...value]
          expect(takes(anyText(0, max), value)).toBe(length <= max)
          expect(takes(anyText(1, max), value)).toBe(length >= 1 && length <= max)
        },
      ),
    )
  })

  test.each([null, undefined, 1, true, [], {}, ['a']])('is not %o', value => {
    expect(takes(text(0, 5), value)).toBe(false)
  })
})

test.each([
  ['decomposed letters', 'e\u0301e\u0301', 'éé'],
  ['syllables of Hangul', '\u1112\u1161\u11ab', '한'],
  ['a sign that has another name', '\u212b', 'Å'],
  ['what looks otherwise', 'Ⓐ²ﬁＡ', undefined],
  ['an emoji of several', '👩🏽\u200d💻', undefined],
])('a name of %s is in NFC, and counted so', (_, written, kept = written) => {
  expect(nameText([...kept].length).parse(written)).toBe(kept)
  expect(takes(nameText(Math.max(1, [...kept].length - 1)), written)).toBe([...kept].length === 1)
})

describe('a character that a terminal, a line or the direction of writing obeys', () => {
  const messageOf = (schema: z.ZodType, value: string) => schema.safeParse(value).error?.issues[0]?.message
  const refusal = (code: string) => `must not contain the character ${code}`

  test.each([
    ['\u0000', 'U+0000'],
    ['\u001b', 'U+001B'],
    ['\r', 'U+000D'],
    ['\u007f', 'U+007F'],
    ['\u0080', 'U+0080'],
    ['\u009f', 'U+009F'],
    ['\u061c', 'U+061C'],
    ['\u200e', 'U+200E'],
    ['\u202a', 'U+202A'],
    ['\u202e', 'U+202E'],
    ['\u2066', 'U+2066'],
    ['\u2069', 'U+2069'],
  ])('%j is refused in every text, by its name', (character, code) => {
    for (const schema of [text(0, 9), nameText(9), workspaceName, linesText(0, 9)])
      expect(messageOf(schema, `a${character}b`)).toBe(refusal(code))
    expect(takes(anyText(0, 9), `a${character}b`)).toBe(true)
  })

  test.each([
    ['\n', 'U+000A'],
    ['\t', 'U+0009'],
    ['\u2028', 'U+2028'],
  ])('%j is refused where there is one line', (character, code) => {
    for (const schema of [text(0, 9), nameText(9), workspaceName])
      expect(messageOf(schema, `a${character}b`)).toBe(refusal(code))
    expect(linesText(0, 9).parse(`a${character}b`)).toBe(`a${character}b`)
  })

  test('what is not seen is refused in names that strangers read, by its name', () => {
    expect(messageOf(workspaceName, 'Ac\u200bme')).toBe(refusal('U+200B'))
    expect(messageOf(workspaceName, 'Acme\u{e0041}')).toBe(refusal('U+E0041'))
    expect(takes(nameText(9), 'Ac\u200bme')).toBe(true)
  })

  test('the pattern in the document says the same', () => {
    const character = fc.oneof(anyCharacter, fc.integer({ min: 0, max: 0x2069 }).map(String.fromCharCode))
    const sent = fc.string({ unit: fc.oneof(character, fc.constant('\r\n')), maxLength: 4 })
    for (const schema of [text(0, 50), nameText(50), linesText(0, 50)]) {
      const pattern = new RegExp(String(z.toJSONSchema(schema).pattern), 'u')
      fc.assert(fc.property(sent, value => value === '' || takes(schema, value) === pattern.test(value)))
    }
  })

  test('no operation over HTTP takes one in a text of its body, passwords aside', () => {
    const taking = serviceNames.flatMap(service =>
      Object.entries<Operation>(manifest[service].service.operations)
        .filter(([, { http, body }]) => http && body)
        .flatMap(([name, { body }]) =>
          stringsIn(z.toJSONSchema(body as z.ZodType, { io: 'input', unrepresentable: 'any' }))
            .filter(({ pattern }) => pattern === undefined || new RegExp(pattern, 'u').test('a\u001bb'))
            .map(({ description }) => `${name}: ${description}`),
        ),
    )
    expect(taking).toEqual([])
  })

  interface StringSchema {
    readonly pattern?: string
    readonly description?: string
  }

  /** Strings that anything may be written in: neither a choice nor of a format, such as an email address. */
  function stringsIn(schema: unknown): StringSchema[] {
    if (typeof schema !== 'object' || schema === null) return []
    if ('type' in schema && schema.type === 'string')
      return 'enum' in schema || 'const' in schema || 'format' in schema ? [] : [schema as StringSchema]
    return Object.entries(schema).flatMap(([key, part]) => (key === 'propertyNames' ? [] : stringsIn(part)))
  }
})

describe('a wire id', () => {
  test.each([
    ['ws_01h455vb4pex5vsknk084sn02q', true],
    ['ws_a', true],
    ['ws_A-Z_9', true],
    ['ws_', false],
    ['ws', false],
    ['', false],
    ['wsx_a', false],
    ['xws_a', false],
    ['WS_a', false],
    ['ws_a b', false],
    ['ws_a.b', false],
    ['ws_*', false],
    ['ws_>', false],
    ['ws_a\n', false],
    ['\nws_a', false],
    ['ws_a\r\nSvc-Caller: x', false],
    ['ws_é', false],
    [' ws_a', false],
  ])('%j: %s', (value, expected) => {
    expect(takes(wireId('ws'), value)).toBe(expected)
  })

  test.each([
    [53, true],
    [54, false],
  ])('%d characters where 53 are allowed are accepted: %s', (length, expected) => {
    expect(takes(wireId('ws', 53), `ws_${'a'.repeat(length - 3)}`)).toBe(expected)
  })
})

describe('Unix seconds', () => {
  test.each([
    [0, true],
    [1_700_000_000, true],
    [253_402_300_799, true],
    [253_402_300_800, false],
    [-1, false],
    [0.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    ['1', false],
    [null, false],
  ])('%j: %s', (value, expected) => {
    expect(takes(unixSeconds, value)).toBe(expected)
  })
})

describe('an integer of a query', () => {
  const schema = queryInteger(1, 100, 25)

  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
    [undefined, 25],
  ])('%j is %d', (value, expected) => {
    expect(schema.parse(value)).toBe(expected)
  })

  test.each(['0', '101', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '', '１', '1000000000', 'NaN'])(
    '%j is not one',
    value => {
      expect(takes(schema, value)).toBe(false)
    },
  )
})

test('the query of a list takes only limit and cursor', () => {
  expect(pageQuery.parse({})).toEqual({ limit: 25 })
  expect(pageQuery.parse({ limit: '3', cursor: 'abc_-9' })).toEqual({ limit: 3, cursor: 'abc_-9' })
  for (const query of [{ page: '1' }, { cursor: '' }, { cursor: 'a=' }, { cursor: 'a'.repeat(201) }]) {
    expect(takes(pageQuery, query)).toBe(false)
  }
})
