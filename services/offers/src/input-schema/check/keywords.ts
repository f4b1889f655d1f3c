// The keywords of JSON Schema 2020-12 that decide whether a value is valid. Everything else is an annotation
// and never reaches the compiler: it would take `$async`, `nullable` or `$data` for instructions of its own.

export const ASSERTIONS = [
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
export const SCHEMA_KEYWORDS = [
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
export const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Keywords whose value maps names to schemas. `dependencies` may map to a list of names, too. */
export const MAP_KEYWORDS = [
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  '$defs',
  'definitions',
]

/** Keywords that hold schemas for others to refer to, and say nothing about a value. */
export const DEFINITIONS = new Set(['$defs', 'definitions'])

export const REFERENCES = ['$ref', '$dynamicRef']

/** Keywords whose schemas see the same value again, not a part of it. */
export const IN_PLACE = new Set([
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
