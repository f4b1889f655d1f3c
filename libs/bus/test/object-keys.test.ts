// Two readers may disagree about a repeated key, so a body with one is refused, at any depth.
import { ApiError } from '@svc/contract/core/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJson } from '../src/json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

function refusedPath(text: string): unknown {
  try {
    return { accepted: parseJson(bytes(text)) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [entry] = (error.body as { errors: { code: number; path: string[] }[] }).errors
    expect(error).toMatchObject({ status: 400, tag: 'Validation' })
    return entry?.code === 40006 ? entry.path : error.body
  }
}

describe('a repeated key is refused by its name', () => {
  test.each<[string, string, string[]]>([
    ['with another value', '{"a":1,"b":2,"a":3}', ['a']],
    ['with the same value', '{"a":1,"a":1}', ['a']],
    ['in an object in it', '{"a":{"b":{},"b":[]}}', ['a', 'b']],
    ['in a list', '{"a":[1,[2],{"b":1},{"b":1,"c":2,"b":3}]}', ['a', '3', 'b']],
    ['in a list of lists', '[[],[{"a":1},{"a":{"b":1,"b":1}}]]', ['1', '1', 'a', 'b']],
    ['written as an escape', '{"a":1,"\\u0061":2}', ['a']],
    ['in escapes of two kinds', '{"\\/":1,"\\u002F":2}', ['/']],
    ['after what looks like it', '{"a":"a\\":","b":"{\\"b\\":1","a":1}', ['a']],
    ['without a name', '{"":1,"":2}', ['']],
    ['as a number', '{"1":1,"0":1,"1":1}', ['1']],
    ['as __proto__', '{"__proto__":1,"__proto__":2}', ['__proto__']],
    ['as constructor', '{"constructor":1,"constructor":2}', ['constructor']],
    ['in another script', '{"ключ":1,"\\u043aлюч":2}', ['ключ']],
    ['between blanks', '{ "a" : 1 ,\n\t"a" : 2 }', ['a']],
    ['with an object that has many', '{"a":{"b":1,"c":2},"d":3,"a":{}}', ['a']],
    ['beyond 100 characters', `{"${'k'.repeat(300)}":1,"${'k'.repeat(300)}":2}`, [`${'k'.repeat(100)}…`]],
  ])('%s', (_, text, path) => {
    expect(refusedPath(text)).toEqual(path)
  })

  test('the message is a sentence', () => {
    expect(() => parseJson(bytes('{"a":[{"b":1,"b":2}]}'))).toThrow('a.0.b is given more than once.')
  })
})

test.each([
  '{"a":{"a":{"a":1}},"b":{"a":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"b\\":1,\\"b","b":":::{,"}',
  '{"a":1,"A":2,"\\u0061 ":3,"\u00e9":4,"e\u0301":5}',
])('%s names each key once', text => {
  expect(refusedPath(text)).toEqual({ accepted: JSON.parse(text) })
})

describe('a body of more than 2,000 keys is refused', () => {
  const keys = (count: number) => Array.from({ length: count }, (_, at) => `"k${at}":0`).join()
  test.each([
    ['in one object', `{${keys(2001)}}`],
    ['in many', `[${Array(3).fill(`{${keys(1000)}}`)}]`],
    ['of which one stands twice', `{${keys(25_000)},"k0":1}`],
    ['before it is malformed', `[${`{${keys(1001)}},`.repeat(2)}"${'\\"'.repeat(100_000)}`],
  ])('%s', (_, text) => {
    expect(refusedPath(text)).toMatchObject({
      errors: [{ code: 40002, message: 'The body has more than 2000 keys.', path: [] }],
    })
  })

  test.each([
    ['in one object', `{${keys(2000)}}`],
    ['in many', `[${Array(2).fill(`{${keys(1000)}}`)}]`],
    ['with a long list', `[{${keys(2000)}},${Array(25_000).fill(0)}]`],
  ])('but not one of exactly that many: %s', (_, text) => {
    expect(refusedPath(text)).toHaveProperty('accepted')
  })

  test('the repeated one of 2,000 keys is found', () => {
    expect(refusedPath(`{${keys(1999)},"k0":1}`)).toEqual(['k0'])
  })
})

// These would not survive JSON.parse otherwise: numbers that the parser refuses, lone surrogates, __proto__.
const key = fc
  .string({ unit: 'grapheme', maxLength: 8 })
  .filter(name => name !== '__proto__' && !name.includes('\0'))
const leaf = fc.oneof(fc.constantFrom<unknown>(null, true, 0, -1.5, 7e3), key)
const { value } = fc.letrec(tie => ({
  value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
  object: fc.dictionary(key, tie('value'), { maxKeys: 5 }),
}))

test('any JSON without repeated keys is parsed', () => {
  fc.assert(
    fc.property(value, any => {
      const text = JSON.stringify(any)
      expect(refusedPath(text)).toEqual({ accepted: JSON.parse(text) })
    }),
  )
})

const escaped = (character: string) =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** A name as JSON, with some of its characters escaped. */
const spelled = (name: string, escapes: number) =>
  `"${(JSON.stringify(name).slice(1, -1).match(/\\.|./gsu) ?? [])
    .map((one, at) => (one[0] !== '\\' && (escapes >> (at % 30)) & 1 ? escaped(one) : one))
    .join('')}"`

/** The JSON of a value, with some keys of the object at `path` escaped, and its key `again` repeated. */
function textWith(any: unknown, [step, ...path]: string[], again: string, escapes: number): string {
  if (Array.isArray(any)) {
    return `[${any.map((item, at) => (String(at) === step ? textWith(item, path, again, escapes) : JSON.stringify(item)))}]`
  }
  const members = Object.entries(any as object).map(
    ([name, item]) =>
      `${spelled(name, escapes)}:${name === step ? textWith(item, path, again, escapes) : JSON.stringify(item)}`,
  )
  if (step === undefined) members.push(`${spelled(again, ~escapes)}:null`)
  return `{${members.join()}}`
}

/** The paths of all keys in a value. */
const placesIn = (any: unknown): string[][] =>
  typeof any === 'object' && any !== null
    ? Object.entries(any).flatMap(([name, item]) => [
        ...(Array.isArray(any) ? [] : [[name]]),
        ...placesIn(item).map(rest => [name, ...rest]),
      ])
    : []

test('any JSON with a repeated key, however it is spelled, is refused by the path of that key', () => {
  fc.assert(
    fc.property(value, fc.nat(), fc.nat(), (any, at, escapes) => {
      const places = placesIn(any)
      fc.pre(places.length > 0)
      const place = places[at % places.length] ?? []
      const text = textWith(any, place.slice(0, -1), place.at(-1) ?? '', escapes)
      expect(refusedPath(text)).toEqual(place)
    }),
  )
})
