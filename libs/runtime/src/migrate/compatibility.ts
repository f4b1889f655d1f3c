/** Which releases can work with a migration, by its file and by the database: docs/running/upgrade.md. */
import type postgres from 'postgres'
import compare from 'semver/functions/compare.js'
import valid from 'semver/functions/valid.js'
import { tableExists } from './table-exists.ts'

export interface Compatibility {
  readonly name: string
  /** The oldest release that can work with the schema once the migration is applied. */
  readonly compatible_from: string
}

const header = /^-- compatible_from: (\S+)$/

/**
 * @param text of a numbered file
 * @throws Error if its first line does not name a release
 */
export function readCompatibility(name: string, text: string): Compatibility {
  const [, release] = header.exec(text.slice(0, text.indexOf('\n'))) ?? []
  if (release && valid(release)) return { name, compatible_from: release }
  throw new Error(
    `${name}.sql does not say which releases can work with it: begin it with a line like "-- compatible_from: 1.2.3" (docs/running/upgrade.md).`,
  )
}

export async function keepCompatibility(
  tx: postgres.TransactionSql,
  schema: string,
  migration: Compatibility,
): Promise<void> {
  await tx`/* runtime.create_compatibility */
    create table if not exists ${tx(schema)}.migration_compatibility (
      name text collate "C" primary key,
      compatible_from text collate "C" not null
    )`
  await tx`/* runtime.write_compatibility */
    insert into ${tx(schema)}.migration_compatibility ${tx(migration, 'name', 'compatible_from')}
    on conflict (name) do update set compatible_from = excluded.compatible_from`
}

/**
 * @param unknown migrations that a later release has applied
 * @param release this one
 * @throws Error if one of them cannot work with this release, or does not say so
 */
export async function refuseIncompatible(
  sql: postgres.ISql,
  schema: string,
  unknown: readonly string[],
  release: string,
): Promise<void> {
  const kept = await keptCompatibility(sql, schema, unknown)
  const silent = unknown.filter(name => !kept.some(one => one.name === name))
  if (silent.length > 0) {
    throw new Error(
      `The schema "${schema}" has migrations that this release (${release}) does not know, and does not say which releases can work with them: ${silent.join(', ')}. Start the release that applied them.`,
    )
  }
  const [last] = kept.toSorted((a, b) => compare(b.compatible_from, a.compatible_from))
  if (last && compare(release, last.compatible_from) < 0) {
    throw new Error(
      `The schema "${schema}" has the migration ${last.name}, which can only work with releases from ${last.compatible_from} on, and this is ${release}. Start ${last.compatible_from} or a later one (docs/running/upgrade.md).`,
    )
  }
}

async function keptCompatibility(sql: postgres.ISql, schema: string, names: readonly string[]) {
  if (!(await tableExists(sql, schema, 'migration_compatibility'))) return []
  return sql<Compatibility[]>`/* runtime.read_compatibility */
    select name, compatible_from from ${sql(schema)}.migration_compatibility where name in ${sql(names)}`
}
