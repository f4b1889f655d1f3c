/** Rules 4 and 6: field values against the input schema of the version, compiled once for each schema. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Problem, unprocessable } from '../refusal.ts'
import type { OfferReferences } from './offer-references.ts'
import type { OfferInput } from './offer-input.ts'

const ajv = new Ajv2020({ strict: false })
formats.default(ajv)

const compiled = new Map<string, ValidateFunction>()

export function fieldValueProblems(
  { field_values }: OfferInput,
  { schema_hash = '', input_schema = '' }: OfferReferences,
): Problem[] {
  if (!field_values) return []
  let validate = compiled.get(schema_hash)
  if (!validate) {
    validate = compile(input_schema)
    compiled.set(schema_hash, validate)
  }
  const values = Object.fromEntries(Object.entries(field_values).map(([name, { value }]) => [name, value]))
  if (validate(values)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) =>
    unprocessable(`field_values${instancePath.replaceAll('/', '.')}`, message ?? 'is not valid'),
  )
}

/** Each value is checked by itself: what the schema requires is the customer's business, not the seller's. */
function compile(text: string): ValidateFunction {
  const { properties = {}, $defs = {} } = JSON.parse(text)
  return ajv.compile({ type: 'object', properties, $defs, additionalProperties: false })
}
