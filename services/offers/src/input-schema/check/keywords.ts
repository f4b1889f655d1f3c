/**
 * The keywords of JSON Schema 2020-12 that decide whether a value is valid. Everything else is an annotation and never
 * reaches the compiler, to which `$async`, `nullable` and `$data` would be instructions.
 */

export const assertionKeywords = [
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'format',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
]

/** Keywords whose value is one schema. */
export const schemaKeywords = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** Keywords whose value is a list of schemas. */
export const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Keywords whose value maps names to schemas. `dependencies` may also map to a list of names. */
export const mapKeywords = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]

/** Keywords that only hold schemas for references, and do not apply to a value. */
export const definitionKeywords = new Set(['$defs', 'definitions'])

export const referenceKeywords = ['$ref', '$dynamicRef']

/** Keywords whose schemas apply to the same value, not to a part of it. */
export const inPlaceKeywords = new Set([
  'not',
  'if',
  'then',
  'else',
  'allOf',
  'anyOf',
  'oneOf',
  'dependentSchemas',
  'dependencies',
])
