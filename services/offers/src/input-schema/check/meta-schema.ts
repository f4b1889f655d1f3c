import { Ajv2020 } from 'ajv/dist/2020.js'
import { explainEach } from '../evaluate/explain.ts'
import type { Problem } from '../problem.ts'

export const dialect = 'https://json-schema.org/draft/2020-12/schema'

// Formats are not checked here: references and patterns have rules of their own, which give better messages and need no
// backtracking expression. All errors are collected, since the size limit bounds how many there can be.
const ajv = new Ajv2020({
  strict: false,
  logger: false,
  ownProperties: true,
  validateFormats: false,
  allErrors: true,
  messages: false,
})

export function metaSchemaProblems(document: unknown): Problem[] {
  const validate = ajv.getSchema(dialect)
  if (!validate) throw new Error('the 2020-12 meta schema is missing')
  return validate(document) ? [] : explainEach(validate.errors ?? [])
}
