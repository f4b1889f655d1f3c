import type { FieldValues } from '../../src/input-schema/input-schemas.ts'

/**
 * A schema that passes every check, and whose evaluation by the book doubles with each level of the value: the schema
 * alone does not tell it from an ordinary tree.
 */
export function doublingSchema(name: string) {
  const node = { properties: { n: { $ref: '#/$defs/node' } }, required: ['n'] }
  return {
    title: name,
    properties: { a: { $ref: '#/$defs/node' } },
    $defs: { node: { anyOf: [node, node] } },
  }
}

/** A value for which `doublingSchema` fails to find a leaf in 2^`levels` ways. */
export function doublingValue(levels: number): FieldValues {
  return { a: JSON.parse(`${'{"n":'.repeat(levels)}{}${'}'.repeat(levels)}`) }
}

/** A schema that takes 200 steps for each item of the value. */
export function longSchema(title: string) {
  const anyOf = Array.from({ length: 200 }, (_, at) => ({ const: at }))
  return { title, properties: { a: { contains: { anyOf } } } }
}

/** A value that `longSchema` refuses: at once with 100 items, after seconds with 30,000. */
export function longValue(items: number): FieldValues {
  return { a: Array(items).fill(-1) }
}

/** A pattern of many states. */
export const endlessSchema = { properties: { a: { contains: { pattern: '^(.?){500}(a|b)[ab]{400}$' } } } }

/** A value for which `endlessSchema` takes half a minute of processor time and more. */
export const endlessValue: FieldValues = { a: Array(2000).fill(`${'a'.repeat(5000)}!`) }
