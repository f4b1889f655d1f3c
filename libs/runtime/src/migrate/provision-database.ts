/** One role and one schema per service, with no right on the others'. Run by an administrator, any number of times. */
import type { DatabaseRole } from '@svc/contract/manifest'
import type postgres from 'postgres'
import { changeConnectionString } from '../connection/connection-string.ts'
import { withClient } from '../connection/open-client.ts'

/** Reads every schema, for pg_dump. */
const backupRole = 'backup'

export type { DatabaseRole } from '@svc/contract/manifest'

/**
 * Creates the database, and in it each service's role and schema, where they are missing; sets the passwords.
 *
 * @param adminUrl URL of a role that may create databases and roles
 * @returns each role's own URL
 */
export async function provisionDatabase(
  adminUrl: string,
  passwords: Readonly<Record<DatabaseRole, string>>,
  { database = 'svc', backupPassword }: { database?: string; backupPassword?: string | undefined } = {},
): Promise<Record<DatabaseRole, string>> {
  const roles = Object.keys(passwords) as DatabaseRole[]
  await withClient(adminUrl, async sql => {
    const [found] =
      await sql`/* runtime.find_database */ select 1 from pg_database where datname = ${database}`
    // 42P04: another provisioning was faster.
    if (!found)
      await sql`/* runtime.create_database */ create database ${sql(database)}`.catch(
        ignore('42P04', '23505'),
      )
  })
  // Roles belong to the whole server, and an advisory lock to one database: that of `adminUrl` is common to all.
  await withClient(adminUrl, sql =>
    locked(sql, async tx => {
      const all = { ...passwords, ...(backupPassword && { [backupRole]: backupPassword }) }
      for (const [role, password] of Object.entries(all)) {
        const [found] = await tx`/* runtime.find_role */ select 1 from pg_roles where rolname = ${role}`
        if (!found) await tx`/* runtime.create_role */ create role ${tx(role)} login`
        await setPassword(tx, role, password)
      }
      if (backupPassword) await tx`/* runtime.grant_backup */ grant pg_read_all_data to ${tx(backupRole)}`
    }),
  )
  const url = changeConnectionString(adminUrl, { database })
  await withClient(url, sql =>
    locked(sql, async tx => {
      await tx`/* runtime.revoke_public_schema */ revoke all on schema public from public`
      for (const role of roles)
        await tx`/* runtime.create_schema */ create schema if not exists ${tx(role)} authorization ${tx(role)}`
      await grantDatabase(tx, database, roles)
      if (backupPassword)
        await tx`/* runtime.grant_backup_database */ grant connect on database ${tx(database)} to ${tx(backupRole)}`
    }),
  )
  return Object.fromEntries(
    roles.map(role => [role, changeConnectionString(url, { user: role, password: passwords[role] })]),
  ) as Record<DatabaseRole, string>
}

/**
 * Lets only these roles into the database, each into its own schema; can run in any database of the server.
 */
export async function grantDatabase(
  sql: postgres.ISql,
  database: string,
  roles: readonly DatabaseRole[],
): Promise<void> {
  await sql`/* runtime.revoke_public_database */ revoke all on database ${sql(database)} from public`
  for (const role of roles) {
    await sql`/* runtime.grant_database */ grant connect on database ${sql(database)} to ${sql(role)}`
    await sql`/* runtime.set_search_path */ alter role ${sql(role)} in database ${sql(database)} set search_path = ${sql(role)}`
  }
}

/** Utility statements take no parameters; format() quotes the password as a literal. */
export async function setPassword(sql: postgres.ISql, role: string, password: string): Promise<void> {
  const [alter] = await sql`/* runtime.compose_password */
    select format('alter role %I password %L', ${role}::text, ${password}::text) as text`
  await sql.unsafe(alter?.text)
}

/** One provisioning at a time in this database. */
async function locked(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<void>) {
  await sql.begin(async tx => {
    await tx`/* runtime.lock_provisioning */ select pg_advisory_xact_lock(hashtext('svc:provision'))`
    await work(tx)
  })
}

const ignore =
  (...sqlstates: string[]) =>
  (error: { code?: string }) => {
    if (!sqlstates.includes(error.code ?? '')) throw error
  }
