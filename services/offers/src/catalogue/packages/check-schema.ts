import { entryOf, envelopeError, refusal } from '@svc/contract/core/errors'
import { InputSchemaBusy } from '../../input-schema/threads/busy.ts'
import type { InputSchemas } from '../../input-schema/input-schemas.ts'
import { toPointer } from '../../input-schema/json-pointer.ts'
import type { Problem } from '../../input-schema/problem.ts'

/**
 * @returns the text to store, and its SHA-256
 * @throws ApiError `Unprocessable` with one entry per problem, each with its JSON pointer into the schema
 */
export async function checkSchema(schemas: InputSchemas, input_schema: unknown, workspace: string) {
  const checked = await schemas.check(input_schema, workspace).catch(error => {
    throw error instanceof InputSchemaBusy ? refusal('overloaded') : error
  })
  if (!checked.ok) throw envelopeError('Unprocessable', checked.problems.map(schemaProblem))
  return checked
}

const schemaProblem = ({ path, message }: Problem) =>
  entryOf('invalid_input_schema', {
    path: ['input_schema', ...path],
    message: `${['input_schema', ...path].join('.')}: ${message}.`,
    metadata: { pointer: toPointer(path) },
  })
