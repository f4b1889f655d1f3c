/** A service's requirements on PostgreSQL, its database and its role; docs/running/deployment.md lists the same. */
import type postgres from 'postgres'

/** One sentence if it is not met: what is there, what is needed, and what to do. */
export type Requirement<Facts> = (facts: Facts) => string | false

export interface Server {
  readonly number: number
  readonly version: string
  readonly read_only: boolean
}

export const ofServer: readonly Requirement<Server>[] = [
  ({ number, version }) =>
    number < 140_000 &&
    `This is PostgreSQL ${version}, and releases from 14 on are supported: upgrade it, or name another server.`,
  ({ read_only }) =>
    read_only &&
    'PostgreSQL is read-only here, and has to be written to: name the primary server, or set default_transaction_read_only to off.',
]

export interface Database {
  readonly database: string
  readonly encoding: string
}

export const ofDatabase: readonly Requirement<Database>[] = [
  ({ database, encoding }) =>
    encoding !== 'UTF8' &&
    `The database "${database}" has the encoding ${encoding}, and needs UTF8: name another one, or remove it for setup-database.mjs to make it.`,
]

interface Owner {
  readonly role: string
  readonly schema: string
  readonly exists: boolean
  readonly may_create: boolean
  readonly current: string | null
}

const ofOwner: readonly Requirement<Owner>[] = [
  ({ schema, exists }) =>
    !exists &&
    `There is no schema "${schema}" here, and it is needed: run setup-database.mjs, or name the database that has it.`,
  ({ role, schema, may_create }) =>
    !may_create &&
    `The role "${role}" may not create tables in the schema "${schema}", and has to: connect as the schema's owner, or run setup-database.mjs.`,
  ({ role, schema, current }) =>
    current !== schema &&
    `The first schema in the search_path of the role "${role}" is ${current === null ? 'none' : `"${current}"`}, and has to be "${schema}": run setup-database.mjs, or set it (alter role ${role} set search_path = ${schema}).`,
]

/**
 * @param sql a connection of the role that owns the schema
 * @throws Error whose message is one sentence, for the first requirement that is not met
 */
export async function requireDatabase(sql: postgres.Sql, schema: string): Promise<void> {
  const [facts] = await sql<(Server & Database & Owner)[]>`/* runtime.read_requirements */
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('transaction_read_only')::boolean as read_only,
      current_database() as database, current_setting('server_encoding') as encoding,
      current_user as role, ${schema} as schema, current_schema() as current, n.oid is not null as exists,
      coalesce(has_schema_privilege(n.oid, 'create') and has_schema_privilege(n.oid, 'usage'), false) as may_create
    from (values (1)) one left join pg_namespace n on n.nspname = ${schema}`
  if (!facts) return
  refuse(ofServer, facts)
  refuse(ofDatabase, facts)
  refuse(ofOwner, facts)
}

/** @throws Error with the first sentence */
export function refuse<Facts>(requirements: readonly Requirement<Facts>[], facts: Facts): void {
  for (const requirement of requirements) {
    const sentence = requirement(facts)
    if (sentence) throw new Error(sentence)
  }
}
