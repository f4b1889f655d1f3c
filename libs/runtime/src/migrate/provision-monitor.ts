/** The role for monitoring the server (deploy/kubernetes/components/postgres-exporter). */
import { withClient } from '../connection/open-client.ts'
import { grantRole } from './grant-role.ts'
import { setPassword } from './set-password.ts'

/**
 * Creates the role `monitor` if it is missing, sets its password, and lets it into `database`: it may read the
 * server's statistics and settings, but no table. Run it after `provisionDatabase`, any number of times.
 *
 * @param adminUrl URL of a role that may create roles and grant `pg_monitor`
 */
export async function provisionMonitor(
  adminUrl: string,
  password: string,
  { database = 'svc', role = 'monitor' }: { database?: string; role?: string } = {},
): Promise<void> {
  await withClient(adminUrl, sql =>
    sql.begin(async tx => {
      await tx`/* runtime.lock_monitor */ select pg_advisory_xact_lock(hashtext('svc:provision'))`
      const [found] = await tx`/* runtime.find_monitor */ select 1 from pg_roles where rolname = ${role}`
      // A scrape needs one connection; more would be at the expense of the services.
      if (!found) await tx`/* runtime.create_monitor */ create role ${tx(role)} login connection limit 3`
      await grantRole(tx, 'pg_monitor', role)
      await setPassword(tx, role, password)
      await tx`/* runtime.grant_monitor */ grant connect on database ${tx(database)} to ${tx(role)}`
    }),
  )
}
