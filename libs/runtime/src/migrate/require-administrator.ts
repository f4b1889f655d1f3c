/** Requirements on the role that provisions a database; docs/running/deployment.md lists the same. */
import type postgres from 'postgres'
import {
  type Database,
  ofDatabase,
  ofServer,
  type Requirement,
  refuse,
  type Server,
} from './require-database.ts'

interface Administrator {
  readonly role: string
  readonly superuser: boolean
  readonly creates_roles: boolean
  readonly creates_databases: boolean
  readonly database: string
  readonly owner: string | null
  readonly owns: boolean
  readonly foreign: readonly string[]
  readonly withheld: readonly (keyof typeof neededBy)[]
}

const neededBy = {
  pg_read_all_data: { member: 'backup', variable: 'BACKUP_DATABASE_PASSWORD' },
  pg_monitor: { member: 'monitor', variable: 'MONITOR_DATABASE_PASSWORD' },
}

const ofAdministrator: readonly Requirement<Administrator>[] = [
  ({ role, superuser, creates_roles }) =>
    !superuser &&
    !creates_roles &&
    `The role "${role}" may not create roles, and has to: run "alter role ${role} createrole" as a superuser, or name another one in ADMIN_DATABASE_URL.`,
  ({ role, superuser, creates_databases, owner, database }) =>
    owner === null &&
    !superuser &&
    !creates_databases &&
    `There is no database "${database}", and the role "${role}" may not create it: run "alter role ${role} createdb" as a superuser, or create it with the encoding UTF8 and this owner.`,
  ({ role, owner, owns, database }) =>
    owner !== null &&
    !owns &&
    `The database "${database}" belongs to "${owner}", and has to belong to "${role}": run "alter database ${database} owner to ${role}" as a superuser, or name its owner in ADMIN_DATABASE_URL.`,
  ({ role, foreign: [first] }) =>
    first !== undefined &&
    `The role "${first}" is there, and "${role}", which did not create it, has to be able to change it: run "grant ${first} to ${role} with admin option" as a superuser, or name who created it in ADMIN_DATABASE_URL.`,
  ({ role, withheld: [first] }) =>
    first !== undefined &&
    `The role "${role}" may not grant "${first}", which "${neededBy[first].member}" needs: run "grant ${first} to ${role} with admin option" as a superuser, or leave ${neededBy[first].variable} out.`,
]

/**
 * Checks that the database can be provisioned, before anything is created.
 *
 * @param sql a connection to any database of the server
 * @param roles to be created or changed
 * @throws Error whose message is one sentence, for the first requirement that is not met
 */
export async function requireAdministrator(
  sql: postgres.Sql,
  { database, roles }: { database: string; roles: readonly string[] },
): Promise<void> {
  const granted = JSON.stringify(Object.entries(neededBy).map(([name, { member }]) => ({ name, member })))
  // Up to PostgreSQL 15, a role that may create roles may change and grant all but superusers.
  const [facts] = await sql<
    (Server & Administrator & Omit<Database, 'encoding'> & { encoding: string | null })[]
  >`/* runtime.read_administrator */
    select a.number, current_setting('server_version') as version,
      current_setting('transaction_read_only')::boolean as read_only,
      a.rolname as role, a.rolsuper as superuser, a.rolcreaterole as creates_roles, a.rolcreatedb as creates_databases,
      ${database} as database, pg_encoding_to_char(d.encoding) as encoding, pg_get_userbyid(d.datdba) as owner,
      coalesce(pg_has_role(d.datdba, 'usage'), false) as owns,
      coalesce((
        select json_agg(r.rolname) from pg_roles r
        where r.rolname in ${sql(roles)} and a.number >= 160000 and not pg_has_role(r.oid, 'member with admin option')
      ), '[]') as foreign,
      coalesce((
        select json_agg(p.rolname)
        from json_to_recordset(${granted}::text::json) g (name text, member text)
        join pg_roles p on p.rolname = g.name left join pg_roles m on m.rolname = g.member
        where g.member in ${sql(roles)} and a.number >= 160000
          and not pg_has_role(p.oid, 'member with admin option') and not coalesce(pg_has_role(m.oid, p.oid, 'member'), false)
      ), '[]') as withheld
    from (select *, current_setting('server_version_num')::int as number from pg_roles where rolname = current_user) a
    left join pg_database d on d.datname = ${database}`
  if (!facts) return
  const { encoding, ...others } = facts
  refuse(ofServer, others)
  refuse(ofAdministrator, others)
  if (encoding !== null) refuse(ofDatabase, { database, encoding })
}
