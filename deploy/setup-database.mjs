// Prepares a database: each service's role and schema, then its migrations. May run any number of times, and beside
// services that start. Reads ADMIN_DATABASE_URL and the password of each role, as `databasePasswordVariable` names it;
// with MONITOR_DATABASE_PASSWORD also the role of the exporter of metrics.
import { databasePasswordVariable, schemaOf, serviceNames } from '@svc/contract/manifest'
import { databaseConfig, readConfig } from '@svc/runtime/config'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart } from '@svc/runtime/process'
import { provisionDatabase } from '@svc/runtime/migrate/provision-database'
import { provisionMonitor } from '@svc/runtime/migrate/provision-monitor'
import { z } from 'zod'

try {
  const config = readConfig({
    ADMIN_DATABASE_URL: databaseConfig.DATABASE_URL,
    MONITOR_DATABASE_PASSWORD: z.string().optional(),
    ...Object.fromEntries(serviceNames.map(name => [databasePasswordVariable(name), z.string().min(1)])),
  })
  const passwords = serviceNames.map(name => [schemaOf(name), config[databasePasswordVariable(name)]])
  const urls = await provisionDatabase(config.ADMIN_DATABASE_URL, Object.fromEntries(passwords))
  if (config.MONITOR_DATABASE_PASSWORD)
    await provisionMonitor(config.ADMIN_DATABASE_URL, config.MONITOR_DATABASE_PASSWORD)
  for (const name of serviceNames) {
    const role = schemaOf(name)
    await migrate(urls[role], role, new URL(`../services/${name}/migrations`, import.meta.url))
  }
} catch (error) {
  failToStart(error)
}
