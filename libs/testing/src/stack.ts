// The whole product for one test file: real processes, a bus of its own, a database of its own, the demo workspace.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { chmod } from 'node:fs/promises'
import { writePrivateFile } from '@svc/local/private-file'
import { newSecrets } from '@svc/local/secrets'
import { type DevFile, seedDemo } from '@svc/local/seed-demo'
import { type Stack, type StackOptions, startStack } from '@svc/local/stack'
import postgres from 'postgres'
import { inject } from 'vitest'
import type {} from './global-setup.ts'

export type TestStackOptions = Pick<
  StackOptions,
  'replicas' | 'restart' | 'env' | 'natsUrl' | 'onLine' | 'postgresSettings' | 'onPostgresLog'
> & {
  /** A PostgreSQL of its own, for tests that kill it. */
  ownPostgres?: boolean
}

export type TestStack = {
  stack: Stack
  dev: DevFile
  /** Versioned root of each gateway. */
  baseUrls: string[]
  /** Calls bus-only operations as the operator's programs do. */
  backoffice: CallBus
  /** The administrator's view of the database. */
  sql: postgres.Sql
  /** Every line that the processes have written. */
  lines: string[]
  stop(): Promise<void>
}

const silent = { info() {}, warn() {}, error() {} }

/** Starts everything and seeds the demo workspace; call `stop` in afterAll. */
export async function startTestStack({
  ownPostgres,
  onLine,
  postgresSettings,
  ...options
}: TestStackOptions = {}): Promise<TestStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-stack-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(dataDir, 0o711)
  const database = `test_${randomBytes(8).toString('hex')}`
  const lines: string[] = []
  // Roles belong to the whole server, so every database of the run has the same passwords.
  const secrets = { ...newSecrets(), ...(!ownPostgres && { postgres: inject('postgresPasswords') }) }
  await writePrivateFile(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  const stack = await startStack({
    dataDir,
    ...(!ownPostgres && { databaseUrl: inject('postgresAdminUrl') }),
    database,
    postgresSettings: { max_connections: '400', ...postgresSettings },
    ...options,
    onLine: line => {
      lines.push(line)
      onLine?.(line)
    },
  })
  const baseUrls = stack.gateways.map(({ url }) => `${url}/v1`)
  const dev = await seedDemo({ stack, dataDir, baseUrl: baseUrls[0] ?? '' })
  const bus = await connectBus(stack.bus('backoffice'), silent)
  const adminUrl = new URL(stack.databaseUrl)
  adminUrl.pathname = `/${database}`
  const sql = postgres(adminUrl.href, { max: 4, onnotice: () => {} })
  return {
    stack,
    dev,
    baseUrls,
    backoffice: createCall(bus),
    sql,
    lines,
    async stop() {
      await bus.close()
      await sql.end({ timeout: 1 })
      await stack.stop()
      await stack.postgres?.remove()
      if (!ownPostgres) await dropDatabase(database)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function dropDatabase(database: string): Promise<void> {
  const admin = postgres(inject('postgresAdminUrl'), { max: 1, onnotice: () => {} })
  try {
    await admin`drop database if exists ${admin(database)} with (force)`
  } finally {
    await admin.end({ timeout: 5 })
  }
}
