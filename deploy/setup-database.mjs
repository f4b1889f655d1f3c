// Prepares a database: each service's role and schema, then its migrations. May run any number of times, and beside
// services that start. Reads ADMIN_DATABASE_URL and the passwords of the three roles.
import { databaseConfig, readConfig } from '@svc/runtime/config'
import { migrate } from '@svc/runtime/migrate'
import { failToStart } from '@svc/runtime/process'
import { provisionDatabase } from '@svc/runtime/provision-database'
import { z } from 'zod'

const password = z.string().min(1)

try {
  const config = readConfig({
    ADMIN_DATABASE_URL: databaseConfig.DATABASE_URL,
    AUTH_TOKENS_DATABASE_PASSWORD: password,
    OFFERS_DATABASE_PASSWORD: password,
    COMPUTE_DATABASE_PASSWORD: password,
  })
  const urls = await provisionDatabase(config.ADMIN_DATABASE_URL, {
    auth_tokens: config.AUTH_TOKENS_DATABASE_PASSWORD,
    offers: config.OFFERS_DATABASE_PASSWORD,
    compute: config.COMPUTE_DATABASE_PASSWORD,
  })
  for (const [role, folder] of [
    ['auth_tokens', 'auth-tokens'],
    ['offers', 'offers'],
    ['compute', 'compute'],
  ]) {
    await migrate(urls[role], role, new URL(`../services/${folder}/migrations`, import.meta.url))
  }
} catch (error) {
  failToStart(error)
}
