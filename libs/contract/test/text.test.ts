import { anyCharacter } from '@svc/testing/any-character'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { nameText, pageQuery, queryInteger, text, unixSeconds, wireId } from '../src/core/text.ts'

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
          expect(takes(text(0, max), value)).toBe(length <= max)
          expect(takes(text(1, max), value)).toBe(length >= 1 && length <= max)
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
  ])('of %d characters where 53 are allowed: %s', (length, expected) => {
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
