import { _, type Ajv2020 } from 'ajv/dist/2020.js'
import type { Evaluation } from './evaluation.ts'
import { definitionKeywords, listKeywords, mapKeywords } from '../check/keywords.ts'
import type { SchemaObject } from '../check/schema-tree.ts'

// A schema of the wrong type fails before it counts itself, and leaves an error. So the schema that lists it counts both.
const stepsPerEntry = 2
const entryKeywords = [
  'required',
  ...listKeywords,
  ...mapKeywords.filter(keyword => !definitionKeywords.has(keyword)),
]

const wholeValueKeywords = new Set([
  'minLength',
  'maxLength',
  'format',
  'minProperties',
  'maxProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'contains',
])

/** The same schema with keywords that count a step for itself, and for every schema and name that it lists. */
export function countSteps(schema: SchemaObject): SchemaObject {
  const keywords = Object.keys(schema)
  // An empty schema takes no work, and ajv recognizes it as always valid.
  if (keywords.length === 0) return schema
  const listed = entryKeywords.map(keyword => Object.keys(Object(schema[keyword])).length)
  const steps = listed.reduce((sum, count) => sum + count * stepsPerEntry, 1)
  return {
    ...schema,
    steps,
    ...(keywords.some(keyword => wholeValueKeywords.has(keyword)) && { stepsOnValue: true }),
  }
}

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
