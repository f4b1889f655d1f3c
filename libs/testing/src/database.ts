import { randomBytes } from 'node:crypto'
import { databaseRoles } from '@svc/contract/manifest'
import { type DatabaseRole, grantDatabase, provisionDatabase } from '@svc/runtime/migrate/provision-database'
import { waitUntil } from '@svc/local/wait-until'
import { inject } from 'vitest'
// The declaration of what global setup provides.
import type {} from './global-setup.ts'
import { ofTheRun } from './run/ask.ts'
import { administrator, cloneTemplate } from './run/template.ts'

export type TestDatabase = {
  /** One for each service, as its own role. */
  urls: Record<DatabaseRole, string>
  /** The superuser's, of this database. */
  adminUrl: string
  drop(): Promise<void>
}

/** A database for one test file on the run's server, with the roles and every service's schema. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await cloneForStack()
  // The roles and the schemas are there: this is the rest of `provisionDatabase`.
  await grantDatabase(administrator(inject('postgresAdminUrl')), database, roles())
  return handleOf(database)
}

let shared: Promise<TestDatabase> | undefined

/** One that the files of a worker share, which depend on no rows but their own. It ends with the run. */
export function shareTestDatabase(): Promise<Omit<TestDatabase, 'drop'>> {
  shared ??= createTestDatabase()
  return shared
}

/** One with empty schemas, for tests of what fills them. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const database = newName()
  await provisionDatabase(inject('postgresAdminUrl'), inject('postgresPasswords'), { database })
  return handleOf(database)
}

/** A copy of the run's template, for a stack that gives the rights itself. */
export async function cloneForStack(): Promise<string> {
  const database = newName()
  await cloneTemplate(inject('postgresAdminUrl'), await ofTheRun<string>('template'), database)
  return database
}

/** Ends the database with whatever is connected to it. */
export async function dropDatabase(database: string): Promise<void> {
  const sql = administrator(inject('postgresAdminUrl'))
  const connections = () => sql`select from pg_stat_activity where datname = ${database}`
  // Those that are just being ended would take the force for a fault.
  const ended = waitUntil('their end', async () => (await connections()).length === 0, { timeoutMs: 1000 })
  await ended.catch(() => {})
  await sql`drop database if exists ${sql(database)} with (force)`
}

function handleOf(database: string): TestDatabase {
  const url = new URL(inject('postgresAdminUrl'))
  url.pathname = `/${database}`
  const own = (role: DatabaseRole) =>
    Object.assign(new URL(url), { username: role, password: inject('postgresPasswords')[role] }).href
  return {
    urls: Object.fromEntries(databaseRoles.map(role => [role, own(role)])) as TestDatabase['urls'],
    adminUrl: url.href,
    drop: () => dropDatabase(database),
  }
}

const roles = () => Object.keys(inject('postgresPasswords')) as DatabaseRole[]
const newName = () => `test_${randomBytes(8).toString('hex')}`
