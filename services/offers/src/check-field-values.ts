/** Rules 4 and 6: field values are valid against the resolved version's input schema before the offer exists. */
import { type ErrorEntry, entryOf, refusal } from '@svc/contract/errors'
import type { OfferInput } from '@svc/contract/offer-input'
import type { Facts } from './facts.ts'
import type { Deps } from './deps.ts'
import { InputSchemaBusy } from './input-schema/busy.ts'
import type { Problem } from './input-schema/problem.ts'

type Version = NonNullable<Facts['version']>

export async function fieldValueProblems(
  { field_values = {} }: OfferInput,
  version: Version,
  { sql, schemas }: Deps,
): Promise<ErrorEntry[]> {
  const values = Object.fromEntries(Object.entries(field_values).map(([name, { value }]) => [name, value]))
  if (Object.keys(values).length === 0) return []
  const outcome = await schemas
    .validate({ hash: version.schema_hash, values, load: () => readSchema(version, sql) })
    .catch(error => {
      throw error instanceof InputSchemaBusy ? refusal('overloaded') : error
    })
  if (outcome.ok) return []
  return outcome.problems.map(problem =>
    entryOf('invalid_field_value', {
      path: ['field_values', ...pathOf(problem)],
      message: `${['field_values', ...problem.path.slice(0, 1)].join('.')}: ${problem.message}.`,
    }),
  )
}

/** What is wrong with a value lies in the entry's `value`; of a property that the schema does not have, the entry is. */
function pathOf({ path: [property, ...inside], unknown }: Problem): string[] {
  if (property === undefined) return []
  return unknown ? [property] : [property, 'value', ...inside]
}

async function readSchema({ id, workspace_id }: Version, sql: Deps['sql']): Promise<string> {
  const [row] = await sql<{ input_schema: string }>`
    select input_schema from package_versions where workspace_id = ${workspace_id} and id = ${id}`
  // Deleted meanwhile.
  if (!row) throw refusal('unknown_reference', { path: ['package_version_id'] })
  return row.input_schema
}
