/** Random requests from the OpenAPI document: mostly valid, and occasionally wrong in any place. */
import { anyCharacter } from '@svc/testing/any-character'
import fc from 'fast-check'

export interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly properties?: Record<string, JsonSchema>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
}

/** Existing values, by the name of the property or parameter. Without them every id would be unknown. */
export type Known = Record<string, readonly unknown[]>

/** Any JSON, with texts of all kinds: lone surrogates, U+0000, `__proto__`. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.jsonValue({ stringUnit: anyCharacter, maxDepth: 4 }) },
  { weight: 6, arbitrary: fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, '', 'a', [], {}) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('\u0000', '\ud800', '__proto__') },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toString', ''), fc.jsonValue()),
  },
)

/** A value close to the schema: at every level, about one in `rarity` values is replaced by something else. */
export function near(schema: JsonSchema, known: Known, name = '', rarity = 60): fc.Arbitrary<unknown> {
  const valid = validFor(schema, known, name, rarity)
  const wanted = known[name]?.length
    ? fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...known[name]) }, { weight: 1, arbitrary: valid })
    : valid
  return fc.oneof({ weight: rarity, arbitrary: wanted }, { weight: 1, arbitrary: anyJson })
}

function validFor(schema: JsonSchema, known: Known, name: string, rarity: number): fc.Arbitrary<unknown> {
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(choice => near(choice, known, name, rarity)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'string':
      return textFor(schema)
    case 'integer':
      return integerFor(schema)
    case 'number':
      return fc.double()
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(near(schema.items ?? {}, known, '', rarity), {
        maxLength: (schema.maxItems ?? 20) + 1,
        size: 'small',
      })
    case 'object':
      return objectFor(schema, known, rarity)
    default:
      return anyJson
  }
}

/** Mostly within the bounds, occasionally on one or just beyond. */
function textFor({ minLength = 0, maxLength = 300, pattern, format }: JsonSchema): fc.Arbitrary<string> {
  const ofLength = (length: number) =>
    fc.string({ minLength: length, maxLength: length, unit: fc.constantFrom('a', 'é', '🚀'), size: 'max' })
  const usual =
    format === 'email'
      ? fc.emailAddress()
      : pattern
        ? fc.stringMatching(new RegExp(pattern))
        : fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 10), unit: 'grapheme' })
  return fc.oneof(
    { weight: 30, arbitrary: usual },
    { weight: 2, arbitrary: ofLength(maxLength) },
    { weight: 1, arbitrary: ofLength(maxLength + 1) },
    { weight: 1, arbitrary: ofLength(Math.max(0, minLength - 1)) },
  )
}

function integerFor({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) {
  return fc.oneof(
    { weight: 40, arbitrary: fc.integer({ min: minimum, max: maximum }) },
    { weight: 4, arbitrary: fc.constantFrom(minimum, maximum) },
    { weight: 1, arbitrary: fc.constantFrom(minimum - 1, maximum + 1, 0.5, 1e300) },
  )
}

function objectFor(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  known: Known,
  rarity: number,
): fc.Arbitrary<unknown> {
  const declared = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([key, schema]) => [key, near(schema, known, key, rarity)]),
    ),
    { requiredKeys: [...required] },
  )
  const others =
    typeof additionalProperties === 'object'
      ? fc.dictionary(
          known['*'] ? fc.constantFrom(...known['*'].map(String)) : fc.string(),
          near(additionalProperties, known, '', rarity),
          { maxKeys: 5 },
        )
      : fc.constant({})
  const keys = Object.keys(properties)
  return fc
    .tuple(
      declared,
      others,
      fc.oneof({ weight: rarity, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.string() }),
      fc.oneof(
        { weight: rarity, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: keys.length > 0 ? fc.constantFrom(...keys) : fc.constant(undefined) },
      ),
    )
    .map(([object, rest, unknown, dropped]) => {
      const entries = Object.entries({ ...rest, ...object }).filter(([key]) => key !== dropped)
      return Object.fromEntries(unknown === undefined ? entries : [...entries, [unknown, 1]])
    })
}

/** The bytes of a body: close to the schema, some other JSON, JSON nested too deeply, or not JSON at all. */
export function bodyBytes(schema: JsonSchema, known: Known): fc.Arbitrary<Uint8Array> {
  const encode = (text: string) => new TextEncoder().encode(text)
  const json = (value: unknown) => encode(JSON.stringify(value))
  return fc.oneof(
    { weight: 16, arbitrary: near(schema, known).map(json) },
    { weight: 2, arbitrary: anyJson.map(json) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }).map(encode) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2000 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(2000), fc.constantFrom('[', '{"a":'))
        .map(([depth, open]) => encode(open.repeat(depth))),
    },
  )
}
