import { Ajv2020 } from 'ajv/dist/2020.js'
import { Definition } from './definition.ts'
import { useDefinitions } from './definition-keyword.ts'
import { Evaluation } from './evaluation.ts'
import { formats } from './formats.ts'
import { useJsonEquality } from './json-equality.ts'
import { useDecimalMultiples } from './multiple-of.ts'
import { linearPatterns } from './pattern.ts'
import type { PlainSchema } from '../check/plain-schema.ts'
import { useSteps } from './step-keywords.ts'

export interface CompiledSchema {
  readonly validators: Map<string, Definition>
  readonly root: Definition
  readonly required: string[]
  readonly evaluation: Evaluation
}

/**
 * Compiles the root and each of its properties. Every schema gets a compiler of its own, so that dropping the validators
 * frees all the code generated for them.
 *
 * @throws RangeError for a schema that is too complex for the stack
 */
export function compileSchema(plain: PlainSchema, maxSteps?: number): CompiledSchema {
  const evaluation = new Evaluation(maxSteps)
  const ajv = new Ajv2020({
    meta: false,
    validateSchema: false,
    // Strict mode refuses legal schemas, such as `properties` without `type`.
    strict: false,
    logger: false,
    // `constructor` is a property of a value only if it was sent.
    ownProperties: true,
    allErrors: false,
    messages: false,
    // From this many names on, ajv checks `required` in a loop. Its unrolled check ignores the empty name.
    loopRequired: 1,
    formats: Object.fromEntries(formats(evaluation)),
    // Optimizing takes three quarters of the time (measured: 740 ms for 600 alternatives, 190 ms without) and does nothing
    // that V8 would not do.
    code: { regExp: linearPatterns(evaluation), optimize: false },
  })
  // Tracking what was evaluated costs time, prevents stopping at the first alternative that matches, and has bugs:
  // `else` next to `patternProperties` may throw.
  ajv.opts.unevaluated = plain.unevaluated
  const definitions = new Map(
    [...plain.definitions.keys()].map(name => [
      name,
      new Definition(evaluation, (plain.referenceCounts.get(name) ?? 0) > 1),
    ]),
  )
  useDefinitions(ajv, definitions)
  useSteps(ajv, evaluation)
  useJsonEquality(ajv, evaluation)
  useDecimalMultiples(ajv, evaluation)
  for (const [name, schema] of plain.definitions) find(name).setValidator(ajv.compile(schema))
  // V8 compiles a function when it is first called. That time, or a stack overflow, belongs to the schema, not to the
  // first values.
  for (const definition of definitions.values()) definition.evaluate(null)
  return {
    validators: new Map([...plain.properties].map(([property, name]) => [property, find(name)])),
    root: find(plain.root),
    required: plain.required,
    evaluation,
  }

  function find(name: string): Definition {
    const definition = definitions.get(name)
    if (!definition) throw new Error(`there is no definition ${name}`)
    return definition
  }
}
