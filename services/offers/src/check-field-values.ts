/** Rules 4 and 6: field values are valid against the resolved version's input schema before the offer exists. */
import { type ErrorEntry, entryOf, refusal } from '@svc/contract/errors'
import type { OfferInput } from '@svc/contract/offer-input'
import type { Facts } from './facts.ts'
import type { Deps } from './deps.ts'
import { InputSchemaBusy } from './input-schema/busy.ts'

export async function fieldValueProblems(
  { field_values = {} }: OfferInput,
  version: NonNullable<Facts['version']>,
  { sql, schemas }: Deps,
): Promise<ErrorEntry[]> {
  const values = Object.fromEntries(Object.entries(field_values).map(([name, { value }]) => [name, value]))
  if (Object.keys(values).length === 0) return []
  const outcome = await schemas
    .validate({ hash: version.schema_hash, values, load: () => readSchema(version.id, sql) })
    .catch(error => {
      throw error instanceof InputSchemaBusy ? refusal('overloaded') : error
    })
  if (outcome.ok) return []
  return outcome.problems.map(({ path: [property, ...inside], message }) =>
    entryOf('invalid_field_value', {
      path:
        property === undefined
          ? ['field_values']
          : ['field_values', property, ...valuePath(property, inside)],
      message: `${['field_values', ...(property === undefined ? [] : [property])].join('.')}: ${message}.`,
    }),
  )

  function valuePath(property: string, inside: string[]) {
    return Object.hasOwn(values, property) ? ['value', ...inside] : inside
  }
}

async function readSchema(versionId: string, sql: Deps['sql']): Promise<string> {
  const [row] = await sql<{
    input_schema: string
  }>`select input_schema from package_versions where id = ${versionId}`
  if (!row) throw new Error('a package version that was read before is gone')
  return row.input_schema
}
