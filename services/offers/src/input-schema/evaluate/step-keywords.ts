// Keywords of our own by which a compiled schema counts its steps.
import { _, type Ajv2020 } from 'ajv/dist/2020.js'
import type { Evaluation } from './evaluation.ts'
import { DEFINITIONS, LIST_KEYWORDS, MAP_KEYWORDS } from '../check/keywords.ts'
import type { SchemaObject } from '../check/schema-tree.ts'

// A type that does not fit ends an evaluation before it counts, and leaves an error: so whoever lists schemas counts both.
const LISTED = 2
const LISTS = ['required', ...LIST_KEYWORDS, ...MAP_KEYWORDS.filter(keyword => !DEFINITIONS.has(keyword))]

/** Keywords that look at the whole of a text, at all names of an object or at all items of a list. */
const WHOLE = new Set([
  'minLength',
  'maxLength',
  'format',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'contains',
])

/** The same schema, counting its evaluation: itself, and every schema and name that it lists. */
export function countSteps(schema: SchemaObject): SchemaObject {
  const keywords = Object.keys(schema)
  // An empty schema is no work, and known to be none.
  if (keywords.length === 0) return schema
  const listed = LISTS.map(keyword => Object.keys(Object(schema[keyword])).length)
  const steps = listed.reduce((sum, count) => sum + count * LISTED, 1)
  return { ...schema, steps, ...(keywords.some(keyword => WHOLE.has(keyword)) && { stepsOnValue: true }) }
}

/** Must come before all other keywords are added: what fails first has to be counted, too. */
export function useSteps(ajv: Ajv2020, evaluation: Evaluation): void {
  const before = '$ref'
  ajv.addKeyword({
    keyword: 'steps',
    schemaType: 'number',
    before,
    code: ({ gen, schema }) => {
      gen.code(_`${gen.scopeValue('obj', { ref: evaluation })}.spend(${schema})`)
    },
  })
  ajv.addKeyword({
    keyword: 'stepsOnValue',
    schemaType: 'boolean',
    before,
    code: ({ gen, data }) => {
      gen.code(_`${gen.scopeValue('obj', { ref: evaluation })}.spendOn(${data})`)
    },
  })
}
