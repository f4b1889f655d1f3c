import { Ajv2020 } from 'ajv/dist/2020.js'
import { Definition } from './definition.ts'
import { useDefinitions } from './definition-keyword.ts'
import { Evaluation } from './evaluation.ts'
import { formats } from './formats.ts'
import { useJsonEquality } from './json-equality.ts'
import { linearPatterns } from './pattern.ts'
import type { PlainSchema } from '../check/plain-schema.ts'
import { useSteps } from './step-keywords.ts'

export type Compiled = {
  /** For each property of the root. */
  validators: Map<string, Definition>
  /** For an object with all of them. */
  whole: Definition
  /** Names that the root requires. */
  required: string[]
  /** In which all of these run. */
  evaluation: Evaluation
}

/**
 * Validators for the properties of the root, and for the root. Every schema gets a compiler of its own, so that dropping the
 * validators drops all that was generated for them.
 */
export function compileSchema(plain: PlainSchema, maxSteps?: number): Compiled {
  const evaluation = new Evaluation(maxSteps)
  const ajv = new Ajv2020({
    meta: false,
    validateSchema: false,
    // Strict mode refuses schemas that are legal, as `properties` without `type`.
    strict: false,
    logger: false,
    // `constructor` is a property of a value only if it was sent.
    ownProperties: true,
    // One problem per property is enough to mend it; collecting all would let a long list of wrong items
    // decide how much memory is taken.
    allErrors: false,
    messages: false,
    // Written out, ajv's check of `required` takes the empty name for no name.
    loopRequired: 1,
    formats: Object.fromEntries(formats(evaluation)),
    // Optimizing takes three quarters of the time (measured: 600 alternatives 740 ms, 190 ms without) for nothing
    // that V8 would not do.
    code: { regExp: linearPatterns(evaluation), optimize: false },
  })
  // Keeping account of what was evaluated costs time, forbids to stop at the first alternative that fits, and has
  // defects: `else` beside `patternProperties` may throw.
  ajv.opts.unevaluated = plain.unevaluated
  const definitions = new Map(
    [...plain.definitions.keys()].map(name => [
      name,
      new Definition(evaluation, (plain.ways.get(name) ?? 0) > 1),
    ]),
  )
  useDefinitions(ajv, definitions)
  useSteps(ajv, evaluation)
  useJsonEquality(ajv, evaluation)
  for (const [name, schema] of plain.definitions) find(name).compiled(ajv.compile(schema))
  // V8 reads a function when it is first called: what that costs, or that it fails for want of stack, belongs here.
  for (const definition of definitions.values()) definition.evaluate(null)
  return {
    validators: new Map([...plain.properties].map(([property, name]) => [property, find(name)])),
    whole: find(plain.whole),
    required: plain.required,
    evaluation,
  }

  function find(name: string): Definition {
    const definition = definitions.get(name)
    if (!definition) throw new Error(`there is no definition ${name}`)
    return definition
  }
}
