// Prepares a database: each service's role and schema, then its migrations. May run any number of times, and beside
// services that start. Reads ADMIN_DATABASE_URL and the password of each role, as `databasePasswordVariable` names it;
// with MONITOR_DATABASE_PASSWORD also the role of the exporter of metrics.
//
//   node deploy/setup-database.mjs                   all of it
//   node deploy/setup-database.mjs roles             roles and empty schemas alone, for a backup to be restored into
//   node deploy/setup-database.mjs restored          all of it, and what a database needs that came from a backup
//   node deploy/setup-database.mjs own-password      gives the role of DATABASE_URL the password that stands there; as this role
//                                                    itself, with DATABASE_SECOND_PASSWORD if need be
const [
  manifest,
  { databaseConfig, readConfig },
  { migrate },
  { failToStart },
  { provisionDatabase },
  { setPassword },
  restoring,
  either,
  zod,
  strings,
  clients,
] = await Promise.all([
  import('@svc/contract/manifest'),
  import('@svc/runtime/config'),
  import('@svc/runtime/migrate/migrate'),
  import('@svc/runtime/process'),
  import('@svc/runtime/migrate/provision-database'),
  import('@svc/runtime/migrate/set-password'),
  import('@svc/runtime/migrate/finish-restore'),
  import('@svc/runtime/either-password'),
  import('zod'),
  import('@svc/runtime/connection/connection-string'),
  import('@svc/runtime/connection/open-client'),
]).catch(error => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write(
    'Run it from an image (docker run --rm -e ADMIN_DATABASE_URL … svc-offers:TAG node /app/deploy/setup-database.mjs), or build first: npm ci && npm run build.\n',
  )
  process.exit(1)
})
const { databasePasswordVariable, schemaOf, serviceNames } = manifest
const { changeConnectionString, readConnectionString } = strings
const { withClient } = clients
const { z } = zod

const steps = { roles, restored, 'own-password': ownPassword }
const [step] = process.argv.slice(2)
try {
  if (step !== undefined && !Object.hasOwn(steps, step))
    throw new Error(`Name one of ${Object.keys(steps).join(', ')}.`)
  await (step === undefined ? all() : steps[step]())
} catch (error) {
  failToStart(error)
}

async function all() {
  const urls = await roles()
  for (const name of serviceNames) {
    const role = schemaOf(name)
    await migrate(urls[role], role, new URL(`../services/${name}/migrations`, import.meta.url))
  }
}

async function roles() {
  const config = readConfig({
    ADMIN_DATABASE_URL: databaseConfig.DATABASE_URL,
    BACKUP_DATABASE_PASSWORD: z.string().min(1).optional(),
    MONITOR_DATABASE_PASSWORD: z.string().min(1).optional(),
    ...Object.fromEntries(serviceNames.map(name => [databasePasswordVariable(name), z.string().min(1)])),
  })
  const passwords = serviceNames.map(name => [schemaOf(name), config[databasePasswordVariable(name)]])
  return provisionDatabase(config.ADMIN_DATABASE_URL, Object.fromEntries(passwords), {
    backupPassword: config.BACKUP_DATABASE_PASSWORD,
    monitorPassword: config.MONITOR_DATABASE_PASSWORD,
  })
}

async function restored() {
  await all()
  const url = changeConnectionString(process.env.ADMIN_DATABASE_URL, { database: 'svc' })
  await withClient(url, restoring.finishRestore)
}

async function ownPassword() {
  const { DATABASE_URL, DATABASE_SECOND_PASSWORD } = databaseConfig
  const config = readConfig({ DATABASE_URL, DATABASE_SECOND_PASSWORD })
  const { user, password } = readConnectionString(config.DATABASE_URL)
  await either.withEitherPassword(config, url => withClient(url, sql => setPassword(sql, user, password)))
}
