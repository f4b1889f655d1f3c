// Every statement of the services finds its rows through an index, whatever the size of the tables.
import { serviceNames } from '@svc/contract/manifest'
import { waitUntil } from '@svc/local/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCheckout } from '@svc/testing/statements/every-checkout-statement'
import { executeEveryStatement } from '@svc/testing/statements/every-statement'
import { fillTables } from '@svc/testing/statements/fill-tables'
import { createPlanLog, logPlans, planLogSettings } from '@svc/testing/statements/plans'
import { everything, patience } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { nameOf, readStatements } from '@svc/testing/statements/statements'
import { type FakeStripe, secretKey, startStripe, webhookSecret } from '@svc/testing/stripe/stripe-server'

const log = createPlanLog()
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
    postgresSettings: { ...planLogSettings, autovacuum: 'off', fsync: 'off' },
    onPostgresLog: log.onLog,
  })
})
afterAll(async () => {
  await running?.stop()
  await stripe?.stop()
})

async function logPlansOfEveryStatement() {
  const { stack, dev, sql, baseUrls } = running
  log.plans.length = 0
  for (const statement of logPlans(true)) await sql.unsafe(statement)
  await executeEveryStatement({ stack, dev, sql })
  await useCheckout({ dev, sql, baseUrl: baseUrls[0] ?? '' }, stripe)
  for (const { healthUrl } of [...stack.processes.offers, ...stack.processes.activity])
    await (await fetch(`${healthUrl}/metrics`)).text()
  // What follows from an event comes later.
  await waitUntil('every statement', async () => (await unseen()).length === 0, { everyMs: 250 }).catch(
    () => {},
  )
  for (const statement of logPlans(false)) await sql.unsafe(statement)
}

/** Those of the services' connections. */
const plans = () => log.plans.filter(({ service }) => serviceNames.some(name => name === service))

const seenNames = () => new Set(plans().flatMap(({ query }) => nameOf(query) ?? []))

async function unseen() {
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

test(
  'with tables as small as they are at first, and none is left out',
  async () => {
    await running.sql.unsafe('vacuum (analyze)')
    await everyStatementHasAnIndex()
  },
  patience(60_000),
)

test.runIf(everything)(
  'with tables that have grown, and none is left out',
  async () => {
    const { workspace_id, product_id, package_version_id } = running.dev
    await fillTables(running.sql, {
      offers: 20_000,
      tokens: 100_000,
      workspace_id,
      product_id,
      package_version_id,
    })
    await everyStatementHasAnIndex()
  },
  patience(120_000),
)

async function everyStatementHasAnIndex() {
  await logPlansOfEveryStatement()
  expect(plans().filter(({ seqScans }) => seqScans.length > 0)).toEqual([])
  expect(await unseen()).toEqual([])
  // None is written in a way in which it is not found in the sources.
  const found = new Set((await readStatements()).map(({ name }) => name))
  expect([...seenNames()].filter(name => !found.has(name))).toEqual([])
  // Foreign keys are checked by statements of PostgreSQL's own.
  expect(plans().some(({ query }) => /FOR KEY SHARE/.test(query))).toBe(true)
}
