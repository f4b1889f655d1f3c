import { ApiError } from '@svc/contract/core/errors'
import { expect, test } from 'vitest'
import { maxJsonDepth, parseJson } from '../src/json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  '{"a":"\\u00e9 \\ud83d\\ude00"}',
  '{"a":9007199254740991,"b":-9007199254740991,"c":1.5e3,"d":1e-30,"e":0.12345678901234567890}',
  '{"a":[-0,-0.0,0e-400,0.0E999,10.00000000000000000,100e-2,123456789012.3456789,0.30000000000000004]}',
  '{"a":"1e999 and \\"12345678901234567890 in a text, [1e-400","1e-400":1e2}',
  '{"constructor":1,"toString":null}',
  '"[[[[ {{{{ \\" [[["',
  nested(maxJsonDepth),
])('%s is parsed', text => {
  expect(parseJson(bytes(text))).toEqual(JSON.parse(text))
})

test('an empty body counts as no body', () => {
  expect(parseJson(new Uint8Array())).toBeUndefined()
})

test.each([
  ['a number that no double holds', '{"a":{"b":[1,1e999]}}', 40002, ['a', 'b', '1']],
  ['a negative one', '{"a":-1E+400}', 40002, ['a']],
  ['an integer that would lose digits', '{"a":12345678901234567890}', 40002, ['a']],
  ['2^53', '{"a":9007199254740992}', 40002, ['a']],
  ['closer to zero than 1e-30', '{"a":[0, 1e-31]}', 40002, ['a', '1']],
  [
    'not zero, but read as zero',
    '{"a\\"]":{"b":["1e-400",{"c":[]},[2,1e-400]]}}',
    40002,
    ['a"]', 'b', '2', '1'],
  ],
  ['a negative one', '{"a":{"multipleOf":-0.1e-399}}', 40002, ['a', 'multipleOf']],
  ['without an exponent', `{"a":0.${'0'.repeat(400)}1}`, 40002, ['a']],
  ['a fraction that would become an integer', '{"a":1.0000000000000000000001}', 40002, ['a']],
  ['one with an exponent', '{"a":10000000000000000000001e-22}', 40002, ['a']],
  ['one of a large number', '{"b":1,"a":900719925474099.0123}', 40002, ['a']],
  ['one at the root', '1e-400', 40002, []],
  ['U+0000 in a value', '{"a":"x\\u0000"}', 40002, ['a']],
  ['U+0000 in a name', '{"a":{"\\u0000":1}}', 40002, ['a']],
  ['half of a surrogate pair', '{"a":"\\ud83d"}', 40002, ['a']],
  ['__proto__', '{"a":{"__proto__":{}}}', 40002, ['a', '__proto__']],
  ['__proto__ in escapes', '{"\\u005f_proto__":1}', 40002, ['__proto__']],
  ['deeper than the limit', nested(maxJsonDepth + 1), 40001, undefined],
  ['30,000 deep', nested(30_000), 40001, undefined],
  ['open', '{"a":', 40001, undefined],
])('%s is refused with its path', (_, text, code, path) => {
  try {
    parseJson(bytes(text))
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 400, body: { errors: [{ code, ...(path && { path }) }] } })
  }
})

test('bytes that are not UTF-8 are refused', () => {
  expect(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]))).toThrow('not valid UTF-8')
})
