// `node deploy/migrate-schema.mjs offers`: applies missing migrations to that service's schema, and ends; for a Job
// before a rollout. Services do the same when they start. Reads DATABASE_URL, of the service's own role.
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { databaseConfig, readConfig } from '@svc/runtime/config'
import { withEitherPassword } from '@svc/runtime/either-password'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart } from '@svc/runtime/process'

try {
  const service = process.argv[2]
  if (!serviceNames.includes(service)) throw new Error(`Name one of ${serviceNames.join(', ')}.`)
  const { DATABASE_URL, DATABASE_SECOND_PASSWORD } = databaseConfig
  const config = readConfig({ DATABASE_URL, DATABASE_SECOND_PASSWORD })
  const migrations = new URL(`../services/${service}/migrations`, import.meta.url)
  await withEitherPassword(config, url => migrate(url, schemaOf(service), migrations))
} catch (error) {
  failToStart(error)
}
