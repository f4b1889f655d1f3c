// The whole product for one test file: real processes, a bus and a database of its own, the demo workspace.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import type { BusAccess } from '@svc/local/bus-access'
import { writePrivateFile } from '@svc/local/private-file'
import { newSecrets } from '@svc/local/secrets'
import { type AddMember, type AddUser, addVerifiedUser, type DevFile, seedDemo } from '@svc/local/seed-demo'
import { type ProcessName, type Stack, type StackOptions, startStack } from '@svc/local/stack'
import { changeConnectionString } from '@svc/runtime/connection/connection-string'
import { newId } from '@svc/runtime/id'
import postgres from 'postgres'
import { inject } from 'vitest'
import { cloneForStack, dropDatabase } from '../database.ts'
import { insertMember } from '../members.ts'
import type {} from '../global-setup.ts'
import { accessOf, type TestUser, writeTestConfig } from './nats-config.ts'
import { recentLines, showOnFailure } from '../recent-lines.ts'
import { testEnv } from './test-env.ts'

export type TestStackOptions = Pick<
  StackOptions,
  | 'replicas'
  | 'root'
  | 'restart'
  | 'env'
  | 'natsUrl'
  | 'onLine'
  | 'postgresSettings'
  | 'postgresBinaries'
  | 'onPostgresLog'
> & {
  /** A PostgreSQL of its own, for tests that kill it: `true`, or the URL of one that the test has started. */
  ownPostgres?: boolean | string
}

/** A running product as most tests see it, their own or the run's. */
export type Product = {
  stack: Pick<Stack, 'natsUrl' | 'databaseUrls' | 'secrets'> & {
    bus(user: TestUser): BusAccess
    gateways: readonly { url: string; healthUrl: string }[]
    processes: Readonly<Record<ProcessName, readonly { healthUrl: string }[]>>
  }
  dev: DevFile
  /** Versioned root of each gateway. */
  baseUrls: string[]
  /** Calls bus-only operations as the operator's programs do. */
  backoffice: CallBus
  /** The administrator's view of the database. */
  sql: postgres.Sql
  /** Every line that the processes have written, for this file. */
  readonly lines: readonly string[]
  stop(): Promise<void>
}

export type TestStack = Omit<Product, 'stack' | 'lines'> & {
  stack: Omit<Stack, 'bus'> & Pick<Product['stack'], 'bus'>
  lines: string[]
}

const silent = { info() {}, warn() {}, error() {} }

/**
 * Starts everything and seeds the demo workspace; call `stop` in afterAll. For files that choose how the product runs, or
 * harm it; all others join the run's (`joinProduct`), which is there already.
 */
export async function startTestStack({
  ownPostgres,
  onLine,
  postgresSettings,
  ...options
}: TestStackOptions = {}): Promise<TestStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-stack-'))
  // Run as root, PostgreSQL is another user, which has to pass through here.
  await chmod(dataDir, 0o711)
  const database = ownPostgres ? 'svc' : await cloneForStack()
  const lines: string[] = []
  const hide = showOnFailure(() => lines)
  // Roles belong to the whole server, so every database of the run has the same passwords.
  const secrets = { ...newSecrets(), ...(!ownPostgres && { postgres: inject('postgresPasswords') }) }
  await writePrivateFile(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
  const started = await startStack({
    dataDir,
    natsConfig: await writeTestConfig(dataDir),
    ...(ownPostgres !== true && { databaseUrl: ownPostgres || inject('postgresAdminUrl') }),
    database,
    postgresSettings: { max_connections: '400', ...postgresSettings },
    ...options,
    env: { ...testEnv, ...options.env },
    onLine: line => {
      lines.push(line)
      onLine?.(line)
    },
  }).catch(error => {
    error.message += `\n${recentLines()}`
    throw error
  })
  const stack = Object.assign(started, { bus: accessOf(started.bus) })
  const adminUrl = changeConnectionString(stack.databaseUrl, { database })
  const opened = await openProduct({ stack, dataDir, adminUrl })
  return {
    ...opened,
    stack,
    lines,
    async stop() {
      hide()
      await opened.close()
      await stack.stop()
      await stack.postgres?.remove()
      if (!ownPostgres) await dropDatabase(database)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Seeds a demo workspace of its own and connects to a product that runs. */
export async function openProduct({
  stack,
  dataDir,
  adminUrl,
  domain,
}: {
  stack: Product['stack']
  dataDir: string
  adminUrl: string
  domain?: string
}) {
  const baseUrls = stack.gateways.map(({ url }) => `${url}/v1`)
  const sql = postgres(adminUrl, { max: 4, onnotice: () => {} })
  const addUser = addUserWithKnownPassword(sql)
  const addMember: AddMember = ({ workspace, person, role }) =>
    insertMember(sql, { workspace, user: person.id, role })
  const dev = await seedDemo({ stack, dataDir, baseUrl: baseUrls[0] ?? '', domain, addUser, addMember })
  // A file may take longer than a proof counts.
  const emails = [dev.owner, dev.admin, dev.member, dev.stranger].map(({ email }) => email)
  await sql`
    update auth_tokens.sessions s set auth_time = '2100-01-01' from auth_tokens.users u
    where u.id = s.user_id and u.email = any (${emails}::text[])`
  const bus = await connectBus(stack.bus('backoffice'), silent)
  return {
    dev,
    baseUrls,
    backoffice: createCall(bus),
    sql,
    async close() {
      await bus.close()
      await sql.end({ timeout: 1 })
    },
  }
}

let known: Promise<{ password: string; password_hash: string }> | undefined

/** The first user of this process's stacks is created by the product, and the others get the same password, as hashing takes long. */
const addUserWithKnownPassword =
  (sql: postgres.Sql): AddUser =>
  async (call, email) => {
    if (known) {
      const { password, password_hash } = await known
      const id = newId('user')
      await sql`
        insert into auth_tokens.users (id, email, password_hash, verified_at) values (${id}, ${email}, ${password_hash}, now())`
      return { id, password }
    }
    const first = addVerifiedUser(call, email)
    known = first.then(async ({ id, password }) => {
      const [user] = await sql`select password_hash from auth_tokens.users where id = ${id}`
      return { password, password_hash: user?.password_hash }
    })
    await known
    return first
  }
