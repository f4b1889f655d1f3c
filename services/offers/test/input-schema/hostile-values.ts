import type { FieldValues } from '../../src/input-schema/input-schemas.ts'

/**
 * A schema that passes every check, and doubles its work with each level of a value: no rule that reads the
 * schema alone can tell it from an honest tree.
 */
export function doublingSchema(name: string) {
  const node = { properties: { n: { $ref: '#/$defs/node' } }, required: ['n'] }
  return {
    title: name,
    properties: { a: { $ref: '#/$defs/node' } },
    $defs: { node: { anyOf: [node, node] } },
  }
}

/** A value on which `doublingSchema` takes 2 to the power of `levels` steps. */
export function doublingValue(levels: number): FieldValues {
  return { a: JSON.parse(`${'{"n":'.repeat(levels)}{}${'}'.repeat(levels)}`) }
}
