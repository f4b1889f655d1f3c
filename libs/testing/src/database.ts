import { randomBytes } from 'node:crypto'
import { type DatabaseRole, provisionDatabase } from '@svc/runtime/provision-database'
import postgres from 'postgres'
import { inject } from 'vitest'
// The declaration of what global setup provides.
import type {} from './global-setup.ts'
import { ofTheRun } from './run/ask.ts'
import { cloneTemplate } from './run/template.ts'

export type TestDatabase = {
  /** One for each service, as its own role. */
  urls: Record<DatabaseRole, string>
  /** The superuser's, of this database. */
  adminUrl: string
  drop(): Promise<void>
}

/** A database for one test file on the run's server, with the three roles and every service's schema. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return provision(await cloneForStack())
}

/** The same with empty schemas, for tests of what fills them. */
export const createEmptyDatabase = (): Promise<TestDatabase> => provision(newName())

/** A copy of the run's template, for a stack that gives the rights itself. */
export async function cloneForStack(): Promise<string> {
  const database = newName()
  await cloneTemplate(inject('postgresAdminUrl'), await ofTheRun<string>('template'), database)
  return database
}

/** Ends the database with whatever is connected to it. */
export async function dropDatabase(database: string): Promise<void> {
  const sql = postgres(inject('postgresAdminUrl'), { max: 1, onnotice: () => {} })
  try {
    await sql`drop database if exists ${sql(database)} with (force)`
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function provision(database: string): Promise<TestDatabase> {
  const serverUrl = inject('postgresAdminUrl')
  const urls = await provisionDatabase(serverUrl, inject('postgresPasswords'), { database })
  const adminUrl = new URL(serverUrl)
  adminUrl.pathname = `/${database}`
  return { urls, adminUrl: adminUrl.href, drop: () => dropDatabase(database) }
}

const newName = () => `test_${randomBytes(8).toString('hex')}`
