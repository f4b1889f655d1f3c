import type { ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formats } from './formats.ts'
import { linearPatterns } from './pattern.ts'
import type { PlainSchema } from './plain-schema.ts'
import { useJsonEquality } from './json-equality.ts'

export type Validators = Map<string, ValidateFunction>

export type Compiled = {
  /** For each property of the root. */
  validators: Validators
  /** For an object with all of them. */
  whole: ValidateFunction
}

/**
 * Validators for the properties of the root, and for the root. Every schema gets a compiler of its own, so that dropping the
 * validators drops all that was generated for them.
 */
export function compileSchema({ document, whole, properties, unevaluated }: PlainSchema): Compiled {
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
    // Copying what is referred to makes the code as long as the product of both.
    inlineRefs: false,
    // Written out, ajv's check of `required` takes the empty name for no name.
    loopRequired: 1,
    formats: Object.fromEntries(formats),
    // Optimizing takes three quarters of the time (measured: 600 alternatives 740 ms, 190 ms without) for nothing
    // that V8 would not do.
    code: { regExp: linearPatterns, optimize: false },
  })
  // Keeping account of what was evaluated costs time, forbids to stop at the first alternative that fits, and has
  // defects: `else` beside `patternProperties` may throw.
  ajv.opts.unevaluated = unevaluated
  useJsonEquality(ajv)
  ajv.addSchema(document, 'input')
  // V8 reads a function when it is first called: what that costs, or that it fails for want of stack, belongs here.
  for (const name of Object.keys(document.$defs as object)) compiled(`#/$defs/${name}`)(null)
  return {
    validators: new Map([...properties].map(([name, reference]) => [name, compiled(reference)])),
    whole: compiled(whole),
  }

  function compiled(reference: string): ValidateFunction {
    const validate = ajv.getSchema(`input${reference}`)
    if (!validate) throw new Error(`${reference} is no schema`)
    return validate as ValidateFunction
  }
}
