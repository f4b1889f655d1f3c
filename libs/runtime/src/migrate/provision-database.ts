/**
 * One role and one schema per service, without rights on the others. An administrator may run it any number of
 * times.
 */
import type { DatabaseRole } from '@svc/contract/manifest'
import type postgres from 'postgres'
import { changeConnectionString } from '../connection/connection-string.ts'
import { withClient } from '../connection/open-client.ts'
import { grantRole } from './grant-role.ts'
import { provisionMonitor } from './provision-monitor.ts'
import { requireAdministrator } from './require-administrator.ts'
import { setPassword } from './set-password.ts'

/** Reads every schema, for pg_dump. */
const backupRole = 'backup'

export type { DatabaseRole } from '@svc/contract/manifest'

export interface ProvisionOptions {
  readonly database?: string | undefined
  readonly backupPassword?: string | undefined
  readonly monitorPassword?: string | undefined
}

/**
 * Creates the database and each service's role and schema if they are missing, and sets the passwords. Columns sort
 * text by its bytes, so any locale will do.
 *
 * @param adminUrl URL of a role that may create databases and roles; it need not be a superuser
 * @returns each role's own URL
 * @throws Error in one sentence, before anything is created, if the server or the role does not meet the
 * requirements
 */
export async function provisionDatabase(
  adminUrl: string,
  passwords: Readonly<Record<DatabaseRole, string>>,
  { database = 'svc', backupPassword, monitorPassword }: ProvisionOptions = {},
): Promise<Record<DatabaseRole, string>> {
  const roles = Object.keys(passwords) as DatabaseRole[]
  const all = { ...passwords, ...(backupPassword && { [backupRole]: backupPassword }) }
  await withClient(adminUrl, async sql => {
    const names = [...Object.keys(all), ...(monitorPassword ? ['monitor'] : [])]
    await requireAdministrator(sql, { database, roles: names })
    const [found] =
      await sql`/* runtime.find_database */ select 1 from pg_database where datname = ${database}`
    if (found) return
    // The server's own locale may not support UTF-8. 42P04: another provisioning was faster.
    await sql`/* runtime.create_database */
      create database ${sql(database)} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`.catch(
      ignore('42P04', '23505'),
    )
  })
  // Roles belong to the whole server but an advisory lock to one database: everyone uses that of `adminUrl`.
  await withClient(adminUrl, sql =>
    locked(sql, async tx => {
      for (const [role, password] of Object.entries(all)) {
        const [found] = await tx`/* runtime.find_role */ select 1 from pg_roles where rolname = ${role}`
        if (!found) await tx`/* runtime.create_role */ create role ${tx(role)} login`
        await setPassword(tx, role, password)
      }
      await joinRoles(tx, roles)
      if (backupPassword) await grantRole(tx, 'pg_read_all_data', backupRole)
    }),
  )
  const url = changeConnectionString(adminUrl, { database })
  await withClient(url, sql =>
    locked(sql, async tx => {
      await closePublicSchema(tx)
      for (const role of roles)
        await tx`/* runtime.create_schema */ create schema if not exists ${tx(role)} authorization ${tx(role)}`
      await grantDatabase(tx, database, roles)
      if (backupPassword)
        await tx`/* runtime.grant_backup_database */ grant connect on database ${tx(database)} to ${tx(backupRole)}`
    }),
  )
  if (monitorPassword) await provisionMonitor(adminUrl, monitorPassword, { database })
  return Object.fromEntries(
    roles.map(role => [role, changeConnectionString(url, { user: role, password: passwords[role] })]),
  ) as Record<DatabaseRole, string>
}

/**
 * Lets only these roles into the database, each into its own schema. Any database of the server will do for the
 * connection.
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

/** Only a superuser may create schemas for roles of which it is not a member. */
async function joinRoles(tx: postgres.TransactionSql, roles: readonly DatabaseRole[]) {
  const [self] =
    await tx`/* runtime.find_administrator */ select rolsuper as superuser from pg_roles where rolname = current_user`
  if (self?.superuser) return
  for (const role of roles) await tx`/* runtime.join_role */ grant ${tx(role)} to current_user`
}

/** Up to release 14 only PostgreSQL's superuser may close it. It may stay open, because no role looks there. */
async function closePublicSchema(tx: postgres.TransactionSql) {
  const [open] = await tx`/* runtime.find_public_schema */
    select from pg_namespace where nspname = 'public' and has_schema_privilege('public', oid, 'usage')`
  if (open) await tx`/* runtime.revoke_public_schema */ revoke all on schema public from public`
}

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
