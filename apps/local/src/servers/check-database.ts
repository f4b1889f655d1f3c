import postgres from 'postgres'
import { describe } from '../wait-until.ts'

/** @throws Error with host and port and without the password, if the database of DATABASE_URL does not answer */
export async function checkDatabase(url: string): Promise<void> {
  let address: URL
  try {
    address = new URL(url)
  } catch {
    throw new Error('DATABASE_URL is not a URL such as postgres://user:password@host:5432/postgres.')
  }
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} })
  try {
    await sql`select 1`
  } catch (error) {
    throw new Error(
      `DATABASE_URL: the database at ${address.hostname}:${address.port || 5432} does not answer: ` +
        `${describe(error)}. Start it, or correct or unset DATABASE_URL.`,
    )
  } finally {
    await sql.end({ timeout: 0 })
  }
}
