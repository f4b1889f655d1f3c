// A product of its own in which every statement of the sources is executed, and PostgreSQL's own account of it.
import { scaled } from '@svc/contract/core/deadline-scale'
import { serviceNames } from '@svc/contract/manifest'
import type { PostgresBinaries } from '@svc/local/servers/postgres-binaries'
import { waitUntil } from '@svc/local/wait-until'
import { startTestStack, type TestStack } from '../stack/stack.ts'
import { replayExamples } from '../examples/replay-examples.ts'
import { useCheckout } from './every-checkout-statement.ts'
import { executeEveryStatement } from './every-statement.ts'
import { createPlanLog, type Plan, planLogSettings } from './plans.ts'
import { nameOf, readStatements, type SourceStatement } from './statements.ts'
import { secretKey, startStripe, webhookSecret } from '../stripe/stripe-server.ts'

export interface StatementScene {
  readonly running: TestStack
  /** Executes every statement, but for those of a start. */
  executeAll(): Promise<void>
  /** What the services' connections have executed. */
  plans(): Plan[]
  seenNames(): Set<string>
  /** Statements of the sources that PostgreSQL has not executed to their end. */
  unseen(): Promise<SourceStatement[]>
  /** Forgets what was executed so far. */
  forget(): Promise<void>
  stop(): Promise<void>
}

interface SceneOptions {
  readonly postgresBinaries?: PostgresBinaries
  /** In addition. */
  readonly postgresSettings?: Record<string, string>
  readonly env?: Record<string, string>
}

export async function startStatementScene({
  postgresBinaries,
  postgresSettings,
  env,
}: SceneOptions = {}): Promise<StatementScene> {
  const log = createPlanLog()
  /** Bytes of PostgreSQL's log that have been read. */
  let read = 0
  const stripe = await startStripe()
  const running = await startTestStack({
    ownPostgres: true,
    postgresBinaries,
    env: {
      PURGE_EVERY_SECONDS: '1',
      MAIL_URL: 'log:',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: stripe.url,
      ...env,
    },
    postgresSettings: {
      ...planLogSettings,
      // From the start: when a session would learn of it later is not known.
      'auto_explain.log_min_duration': '0',
      // A collector keeps plans apart, which mix in a pipe that is full, as they are long.
      logging_collector: 'on',
      log_filename: 'plans.log',
      log_rotation_age: '0',
      log_rotation_size: '0',
      autovacuum: 'off',
      fsync: 'off',
      ...postgresSettings,
    },
  })

  /** Takes what has come to the log since the last time, but for a line that is not complete. */
  const readLog = async () => {
    for (let more = true; more; ) {
      const [row] = await running.sql<{ bytes: Buffer }[]>`
        select pg_read_binary_file('log/plans.log', ${read}, ${2 ** 26}) as bytes`
      const complete = row?.bytes.subarray(0, row.bytes.lastIndexOf('\n') + 1)
      read += complete?.length ?? 0
      for (const line of complete?.toString().split('\n') ?? []) log.onLog(line)
      more = row?.bytes.length === 2 ** 26
    }
  }
  const plans = () => log.plans.filter(({ service }) => serviceNames.some(name => name === service))
  const seenNames = () => new Set(plans().flatMap(({ query }) => nameOf(query) ?? []))
  const unseen = async () => {
    await readLog()
    const seen = seenNames()
    return (await readStatements()).filter(({ name = '' }) => !seen.has(name) && !atStart.has(name))
  }
  return {
    running,
    plans,
    seenNames,
    unseen,
    async executeAll() {
      const { stack, dev, sql, baseUrls } = running
      await replayExamples(running)
      await executeEveryStatement({ stack, dev, sql })
      await useCheckout({ dev, sql, baseUrl: baseUrls[0] ?? '' }, stripe)
      for (const { healthUrl } of [...stack.processes.offers, ...stack.processes.activity])
        await (await fetch(`${healthUrl}/metrics`, { headers: { connection: 'close' } })).text()
      // What follows from an event comes later.
      const all = async () => (await unseen()).length === 0
      await waitUntil('every statement', all, { everyMs: 250, timeoutMs: scaled(30_000) }).catch(() => {})
    },
    async forget() {
      const [file] = await running.sql<{ size: number }[]>`
        select size::float8 from pg_stat_file('log/plans.log')`
      read = file?.size ?? 0
      log.plans.length = 0
    },
    async stop() {
      await running.stop()
      await stripe.stop()
    },
  }
}

/** Executed when a database is provisioned, or before a process is ready: on tables of a few rows. */
const atStart = new Set([
  'auth_tokens.find_signing_keys',
  'auth_tokens.insert_signing_keys',
  'runtime.check_function_bodies',
  'runtime.compose_password',
  'runtime.create_compatibility',
  'runtime.create_database',
  'runtime.create_function_revision',
  'runtime.create_migrations',
  'runtime.create_monitor',
  'runtime.create_role',
  'runtime.create_schema',
  'runtime.end_transaction',
  'runtime.ensure_quotas',
  'runtime.find_administrator',
  'runtime.find_database',
  'runtime.find_member',
  'runtime.find_monitor',
  'runtime.find_public_schema',
  'runtime.find_role',
  'runtime.find_table',
  'runtime.grant_backup_database',
  'runtime.grant_database',
  'runtime.grant_monitor',
  'runtime.grant_role',
  'runtime.join_role',
  'runtime.list_migrations',
  'runtime.lock_monitor',
  'runtime.lock_provisioning',
  'runtime.read_administrator',
  'runtime.read_compatibility',
  'runtime.read_function_revision',
  'runtime.read_requirements',
  'runtime.read_session',
  'runtime.revoke_public_database',
  'runtime.revoke_public_schema',
  'runtime.set_function_path',
  'runtime.set_migration_path',
  'runtime.set_search_path',
  'runtime.set_session',
  'runtime.try_migration_lock',
  'runtime.try_transaction',
  'runtime.write_compatibility',
  'runtime.write_function_revision',
  'runtime.write_migration',
  // Statements that read no rows, or run only behind a pooler.
  'runtime.begin',
  'runtime.commit',
  'runtime.ping',
  'runtime.roll_back',
  'runtime.set_timeout',
  // At the start and once an hour, of the catalogue; and at the end.
  'activity.find_old_partitions',
  'activity.release_sender',
  'activity.release_source',
  'activity.make_partition',
  'activity.remove_partition',
  // By a command, after the key was changed.
  'activity.reseal_secrets',
  'auth_tokens.reseal_totp',
  // After a restore, before any process starts.
  'runtime.analyze',
  'runtime.forget_lease_holders',
  'runtime.forget_lease_timelines',
  'runtime.release_sources',
  'runtime.skip_event_numbers',
  'runtime.skip_positions',
])
