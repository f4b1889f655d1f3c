// `node deploy/migrate-schema.mjs offers`: applies what is missing to that service's schema, and ends; for a Job before a
// rollout. Services that start do the same. Reads DATABASE_URL, of the service's own role.
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { databaseConfig, readConfig } from '@svc/runtime/config'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart } from '@svc/runtime/process'

try {
  const service = process.argv[2]
  if (!serviceNames.includes(service)) throw new Error(`Name one of ${serviceNames.join(', ')}.`)
  const { DATABASE_URL } = readConfig({ DATABASE_URL: databaseConfig.DATABASE_URL })
  const migrations = new URL(`../services/${service}/migrations`, import.meta.url)
  await migrate(DATABASE_URL, schemaOf(service), migrations)
} catch (error) {
  failToStart(error)
}
