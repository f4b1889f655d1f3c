import type { FieldValues } from '../../src/input-schema/input-schemas.ts'

/**
 * A schema that passes every check, but whose naive evaluation doubles its work with each level of a value. No rule that
 * reads only the schema can tell it from a harmless tree.
 */
export function doublingSchema(name: string) {
  const node = { properties: { n: { $ref: '#/$defs/node' } }, required: ['n'] }
  return {
    title: name,
    properties: { a: { $ref: '#/$defs/node' } },
    $defs: { node: { anyOf: [node, node] } },
  }
}

/** A value that does not match `doublingSchema`, in 2 to the power of `levels` ways. */
export function doublingValue(levels: number): FieldValues {
  return { a: JSON.parse(`${'{"n":'.repeat(levels)}{}${'}'.repeat(levels)}`) }
}

/** A schema whose evaluation takes work in proportion to 200 times the length of the value. */
export function longSchema(title: string) {
  const anyOf = Array.from({ length: 200 }, (_, i) => ({ const: i }))
  return { title, properties: { a: { contains: { anyOf } } } }
}

/** A value that is invalid against `longSchema`. Checking 100 items takes no time, 30,000 take seconds. */
export function longValue(items: number): FieldValues {
  return { a: Array(items).fill(-1) }
}
