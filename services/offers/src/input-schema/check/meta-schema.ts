import { Ajv2020 } from 'ajv/dist/2020.js'
import { explainEach } from '../evaluate/explain.ts'
import type { Problem } from '../problem.ts'

export const DIALECT = 'https://json-schema.org/draft/2020-12/schema'

// Formats stay unchecked here: references and patterns are read by rules of their own, which say more and
// need no backtracking expression. The size limit bounds how many errors there can be.
const ajv = new Ajv2020({
  strict: false,
  logger: false,
  ownProperties: true,
  validateFormats: false,
  allErrors: true,
  messages: false,
})

/** Where the document is not a schema of JSON Schema 2020-12. */
export function metaSchemaProblems(document: unknown): Problem[] {
  const obeys = ajv.getSchema(DIALECT)
  if (!obeys) throw new Error('the 2020-12 meta schema is missing')
  return obeys(document) ? [] : explainEach(obeys.errors ?? [])
}
