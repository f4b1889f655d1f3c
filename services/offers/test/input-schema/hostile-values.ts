import type { FieldValues } from '../../src/input-schema/input-schemas.ts'

/**
 * A schema that passes every check, and by the letter doubles its work with each level of a value: no rule that reads
 * the schema alone can tell it from an honest tree.
 */
export function doublingSchema(name: string) {
  const node = { properties: { n: { $ref: '#/$defs/node' } }, required: ['n'] }
  return {
    title: name,
    properties: { a: { $ref: '#/$defs/node' } },
    $defs: { node: { anyOf: [node, node] } },
  }
}

/** A value in which `doublingSchema` finds no leaf in 2 to the power of `levels` ways. */
export function doublingValue(levels: number): FieldValues {
  return { a: JSON.parse(`${'{"n":'.repeat(levels)}{}${'}'.repeat(levels)}`) }
}

/** A schema whose work is 200 times as much as the value is long. */
export function longSchema(title: string) {
  const anyOf = Array.from({ length: 200 }, (_, at) => ({ const: at }))
  return { title, properties: { a: { contains: { anyOf } } } }
}

/** A value that `longSchema` does not take: of 100 items it is judged in no time, of 30,000 after seconds. */
export function longValue(items: number): FieldValues {
  return { a: Array(items).fill(-1) }
}
