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

export const listKeywords = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

export const mapKeywords = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]

export const definitionKeywords = new Set(['$defs', 'definitions'])

export const referenceKeywords = ['$ref', '$dynamicRef']

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
