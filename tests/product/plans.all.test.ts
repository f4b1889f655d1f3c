// Every statement of the services finds its rows through an index, whatever the size of the tables.
import { serviceNames } from '@svc/contract/manifest'
import { waitUntil } from '@svc/local/wait-until'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCheckout } from '@svc/testing/statements/every-checkout-statement'
import { executeEveryStatement } from '@svc/testing/statements/every-statement'
import { fillTables } from '@svc/testing/statements/fill-tables'
import { createPlanLog, planLogSettings } from '@svc/testing/statements/plans'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { nameOf, readStatements } from '@svc/testing/statements/statements'
import { type FakeStripe, secretKey, startStripe, webhookSecret } from '@svc/testing/stripe/stripe-server'

const log = createPlanLog()
/** Bytes of PostgreSQL's log that have been read. */
let read = 0
let running: TestStack
let stripe: FakeStripe

beforeAll(async () => {
  stripe = await startStripe()
  running = await startTestStack({
    ownPostgres: true,
    env: {
      PURGE_EVERY_SECONDS: '1',
      MAIL_URL: 'log:',
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_BASE: stripe.url,
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
    },
  })
})
afterAll(async () => {
  await running?.stop()
  await stripe?.stop()
})

async function executeAll() {
  const { stack, dev, sql, baseUrls } = running
  await executeEveryStatement({ stack, dev, sql })
  await useCheckout({ dev, sql, baseUrl: baseUrls[0] ?? '' }, stripe)
  for (const { healthUrl } of [...stack.processes.offers, ...stack.processes.activity])
    await (await fetch(`${healthUrl}/metrics`, { headers: { connection: 'close' } })).text()
  // What follows from an event comes later.
  await waitUntil('every statement', async () => (await unseen()).length === 0, { everyMs: 250 }).catch(
    () => {},
  )
}

/** Takes what has come to the log since the last time, but for a line that is not complete. */
async function readLog() {
  const [row] = await running.sql<{ bytes: Buffer }[]>`
    select pg_read_binary_file('log/plans.log', ${read}, ${2 ** 26}) as bytes`
  const complete = row?.bytes.subarray(0, row.bytes.lastIndexOf('\n') + 1)
  read += complete?.length ?? 0
  for (const line of complete?.toString().split('\n') ?? []) log.onLog(line)
}

/** Those of the services' connections. */
const plans = () => log.plans.filter(({ service }) => serviceNames.some(name => name === service))

const seenNames = () => new Set(plans().flatMap(({ query }) => nameOf(query) ?? []))

async function unseen() {
  await readLog()
  const seen = seenNames()
  return (await readStatements()).filter(({ name = '' }) => !seen.has(name) && !atStart.has(name))
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
  'runtime.create_monitor',
  'runtime.create_role',
  'runtime.create_schema',
  'runtime.ensure_quotas',
  'runtime.find_compatibility',
  'runtime.find_database',
  'runtime.find_function_revision',
  'runtime.find_migrations_table',
  'runtime.find_monitor',
  'runtime.find_role',
  'runtime.grant_backup',
  'runtime.grant_backup_database',
  'runtime.grant_database',
  'runtime.grant_monitor',
  'runtime.list_migrations',
  'runtime.lock_compatibility',
  'runtime.lock_functions',
  'runtime.lock_monitor',
  'runtime.lock_provisioning',
  'runtime.read_compatibility',
  'runtime.read_function_revision',
  'runtime.revoke_public_database',
  'runtime.revoke_public_schema',
  'runtime.set_function_path',
  'runtime.set_search_path',
  'runtime.write_compatibility',
  'runtime.write_function_revision',
  // At the start and once an hour, of the catalogue; and at the end.
  'activity.find_old_partitions',
  'activity.leave_sender',
  'activity.leave_source',
  'activity.make_partition',
  'activity.remove_partition',
  // By a command, after the key was changed.
  'activity.reseal_secrets',
  // After a restore, before any process starts.
  'runtime.analyze',
  'runtime.forget_lease_holders',
  'runtime.forget_lease_timelines',
  'runtime.release_outbox',
  'runtime.release_sources',
  'runtime.skip_event_numbers',
  'runtime.skip_positions',
])

test('every statement has a unique name, and there are no fewer of them', async () => {
  const statements = await readStatements()
  expect(statements.filter(({ name }) => name === undefined)).toEqual([])
  const names = statements.map(({ name }) => name).sort()
  expect(names.filter((name, at) => name === names[at - 1])).toEqual([])
  // Whoever removes a statement lowers it; when files move, none may go out of sight.
  expect(names.length).toBeGreaterThanOrEqual(207)
})

test('with tables as small as they are at first, and none is left out', async () => {
  await running.sql.unsafe('vacuum (analyze)')
  await everyStatementHasAnIndex()
})

test('with tables that have grown, and none is left out', async () => {
  const { workspace_id, product_id, package_version_id } = running.dev
  const url = new URL('/svc', running.stack.databaseUrl)
  const silent = postgres(url.href, { connection: { 'auto_explain.log_min_duration': -1 } })
  await fillTables(silent, {
    offers: 20_000,
    tokens: 100_000,
    workspace_id,
    product_id,
    package_version_id,
  })
  await silent.end()
  await readLog()
  log.plans.length = 0
  await everyStatementHasAnIndex()
})

async function everyStatementHasAnIndex() {
  await executeAll()
  expect(await unseen()).toEqual([])
  expect(plans().filter(({ seqScans }) => seqScans.length > 0)).toEqual([])
  // None is written in a way in which it is not found in the sources.
  const found = new Set((await readStatements()).map(({ name }) => name))
  expect([...seenNames()].filter(name => !found.has(name))).toEqual([])
  // Foreign keys are checked by statements of PostgreSQL's own.
  expect(plans().some(({ query }) => /FOR KEY SHARE/.test(query))).toBe(true)
}
