// The product that the files of a run share: real processes, on a bus and a database of their own.
import { closeSync, openSync, writeSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseRole } from '@svc/contract/manifest'
import { writePrivateFile } from '@svc/local/private-file'
import { newSecrets, type Secrets } from '@svc/local/secrets'
import { type ProcessName, startStack } from '@svc/local/stack'
import { writeTestConfig } from '../stack/nats-config.ts'
import { secretKey, webhookSecret } from '../stripe/stripe-server.ts'
import { testEnv } from '../stack/test-env.ts'
import type { Made } from './serve-run.ts'

export interface ProductFacts {
  readonly gateways: readonly { readonly url: string; readonly healthUrl: string }[]
  readonly processes: Readonly<Record<ProcessName, readonly { readonly healthUrl: string }[]>>
  readonly natsUrl: string
  /** The administrator's, of the product's own database. */
  readonly adminUrl: string
  readonly databaseUrls: Readonly<Record<DatabaseRole, string>>
  readonly secrets: Secrets
  /** What the processes write, a line for a line. */
  readonly logFile: string
}

export interface ProductOptions {
  readonly folder: string
  /** Made from the template. */
  readonly database: string
  readonly serverUrl: string
  readonly passwords: Secrets['postgres']
}

export async function startProduct({
  folder,
  database,
  serverUrl,
  passwords,
}: ProductOptions): Promise<Made> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  const logFile = join(folder, 'lines.log')
  const log = openSync(logFile, 'a')
  const secrets = { ...newSecrets(), postgres: passwords }
  await writePrivateFile(join(folder, 'secrets.json'), JSON.stringify(secrets))
  const stack = await startStack({
    dataDir: folder,
    natsConfig: await writeTestConfig(folder),
    databaseUrl: serverUrl,
    database,
    // What is kept of credentials has to agree between them; `npm run test:all` has two of the others.
    replicas: { gateway: 2, 'auth-tokens': 2 },
    // Links that are mailed are found in the log.
    env: {
      MAIL_URL: 'log:',
      LOG_LEVEL: 'info',
      // Sellers confirm payments here, but messages from Stripe are read anyway.
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: 'http://127.0.0.1:9',
      ...testEnv,
    },
    onLine: line => writeSync(log, `${line}\n`),
  })
  const adminUrl = new URL(serverUrl)
  adminUrl.pathname = `/${database}`
  const facts: ProductFacts = {
    gateways: stack.gateways.map(({ url, healthUrl }) => ({ url, healthUrl })),
    processes: Object.fromEntries(
      Object.entries(stack.processes).map(([name, replicas]) => [
        name,
        replicas.map(({ healthUrl }) => ({ healthUrl })),
      ]),
    ) as unknown as ProductFacts['processes'],
    natsUrl: stack.natsUrl,
    adminUrl: adminUrl.href,
    databaseUrls: stack.databaseUrls,
    secrets,
    logFile,
  }
  return {
    facts,
    async close() {
      await stack.stop()
      closeSync(log)
    },
  }
}
