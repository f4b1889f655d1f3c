/** Rules 4 and 6: field values are valid against the resolved version's input schema before the offer exists. */
import { type ErrorEntry, entryOf, refusal } from '@svc/contract/core/errors'
import type { OfferInput } from '@svc/contract/offers/offer-input'
import { isSealed } from '@svc/contract/core/sealed-value'
import type { OfferReferences } from './offer-references.ts'
import type { Deps } from '../../deps.ts'
import { InputSchemaBusy } from '../../input-schema/threads/busy.ts'
import { type Problem, problem } from '../../input-schema/problem.ts'

/** `workspace`: to whose account the check counts. */
interface Sent {
  readonly values: Record<string, unknown>
  readonly workspace: string
}
type Version = NonNullable<OfferReferences['version']>

export async function fieldValueProblems(
  { field_values = {} }: OfferInput,
  version: Version,
  { sql, schemas }: Deps,
): Promise<ErrorEntry[]> {
  const values = Object.fromEntries(Object.entries(field_values).map(([name, { value }]) => [name, value]))
  if (Object.keys(values).length === 0) return []
  const reserved = reservedProblems(values)
  if (reserved.length > 0) return reserved.map(problem => problemEntry(problem, pathOf(problem)))
  const problems = await problemsWith({ sql, schemas }, version, { values, workspace: version.workspace_id })
  return problems.map(problem => problemEntry(problem, pathOf(problem)))
}

/** What a customer submits is complete: the whole input schema applies, including `required`. */
export async function submissionProblems(
  { values, workspace }: Sent,
  version: Pick<Version, 'id' | 'workspace_id' | 'schema_hash'>,
  deps: Pick<Deps, 'sql' | 'schemas'>,
): Promise<ErrorEntry[]> {
  const reserved = reservedProblems(values)
  const problems =
    reserved.length > 0 ? reserved : await problemsWith(deps, version, { values, workspace }, true)
  return problems.map(problem => problemEntry(problem, problem.path))
}

/** The fields of a version in whose values something may be a password. */
export async function secretFields(
  version: Pick<Version, 'id' | 'workspace_id' | 'schema_hash'>,
  { sql, schemas }: Pick<Deps, 'sql' | 'schemas'>,
): Promise<ReadonlySet<string>> {
  const secret = await schemas
    .secretsOf({
      hash: version.schema_hash,
      workspace: version.workspace_id,
      package_version_id: version.id,
      load: () => readSchema(version, sql),
    })
    .catch(refuseBusy)
  // Values just found valid: the process has the schema, or will have it on the next request.
  if ('problems' in secret) throw refusal('overloaded')
  return secret
}

/** The placeholder of a sealed value in answers and in the database cannot be a value itself. */
const reservedProblems = (values: Record<string, unknown>): Problem[] =>
  Object.entries(values)
    .filter(([, value]) => isSealed(value))
    .map(([name]) => problem([name], 'an object with `$sealed` alone stands for a value that is kept secret'))

const refuseBusy = (error: unknown): never => {
  throw error instanceof InputSchemaBusy ? refusal('overloaded') : error
}

async function problemsWith(
  { sql, schemas }: Pick<Deps, 'sql' | 'schemas'>,
  version: Pick<Version, 'id' | 'workspace_id' | 'schema_hash'>,
  { values, workspace }: Sent,
  complete = false,
): Promise<Problem[]> {
  const outcome = await schemas
    .validate({
      hash: version.schema_hash,
      workspace,
      package_version_id: version.id,
      values,
      complete,
      load: () => readSchema(version, sql),
    })
    .catch(refuseBusy)
  return outcome.ok ? [] : outcome.problems
}

const problemEntry = ({ path, message }: Problem, at: string[]): ErrorEntry =>
  entryOf('invalid_field_value', {
    path: ['field_values', ...at],
    message: `${['field_values', ...path.slice(0, 1)].join('.')}: ${message}.`,
  })

/** What is wrong with a value lies in the entry's `value`; of a property that the schema does not have, the entry is. */
function pathOf({ path: [property, ...inside], unknown }: Problem): string[] {
  if (property === undefined) return []
  return unknown ? [property] : [property, 'value', ...inside]
}

async function readSchema(
  { id, workspace_id }: Pick<Version, 'id' | 'workspace_id'>,
  sql: Deps['sql'],
): Promise<string> {
  const [row] = await sql<{ input_schema: string }>`/* offers.read_input_schema */
    select input_schema from package_versions where workspace_id = ${workspace_id} and id = ${id}`
  // Deleted in the meantime.
  if (!row) throw refusal('unknown_reference', { path: ['package_version_id'] })
  return row.input_schema
}
