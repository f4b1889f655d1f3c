import { type DatabaseAddress, readConnectionString } from '@svc/runtime/connection/connection-string'
import { openClient } from '@svc/runtime/connection/open-client'
import { describe } from '../wait-until.ts'

/** @throws Error with host and port and without the password, if the database of DATABASE_URL does not answer */
export async function checkDatabase(url: string): Promise<void> {
  let address: DatabaseAddress
  try {
    address = readConnectionString(url)
    address.tls()
  } catch (error) {
    throw new Error(`DATABASE_URL ${describe(error)}.`)
  }
  try {
    const { sql } = await openClient(address, { applicationName: 'svc', connectMs: 5000 })
    await sql.end({ timeout: 0 })
  } catch (error) {
    const at = address.hosts.map(({ name, port }) => `${name}:${port}`).join(', ')
    throw new Error(
      `DATABASE_URL: the database at ${at} does not answer: ${describe(error)}. Start it, or correct or unset DATABASE_URL.`,
    )
  }
}
