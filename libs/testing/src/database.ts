import { randomBytes } from 'node:crypto'
import { type DatabaseRole, provisionDatabase } from '@svc/runtime/provision-database'
import postgres from 'postgres'
import { inject } from 'vitest'
// The declaration of what global setup provides.
import type {} from './global-setup.ts'

export type TestDatabase = {
  /** One for each service, as its own role. */
  urls: Record<DatabaseRole, string>
  /** The superuser's, of this database. */
  adminUrl: string
  drop(): Promise<void>
}

/** An empty database for one test file on the run's server, with the three roles and schemas. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('postgresAdminUrl')
  const database = `test_${randomBytes(8).toString('hex')}`
  const urls = await provisionDatabase(serverUrl, inject('postgresPasswords'), { database })
  const adminUrl = new URL(serverUrl)
  adminUrl.pathname = `/${database}`
  return {
    urls,
    adminUrl: adminUrl.href,
    async drop() {
      const sql = postgres(serverUrl, { max: 1, onnotice: () => {} })
      try {
        await sql`drop database if exists ${sql(database)} with (force)`
      } finally {
        await sql.end({ timeout: 5 })
      }
    },
  }
}
