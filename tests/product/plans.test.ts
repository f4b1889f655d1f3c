// Every statement of the services finds its rows through an index, whatever the size of the tables.
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

async function plansOfEveryStatement() {
  const { stack, dev, sql, baseUrls } = running
  log.plans.length = 0
  for (const statement of logPlans(true)) await sql.unsafe(statement)
  await executeEveryStatement({ stack, dev, sql })
  await useCheckout({ dev, sql, baseUrl: baseUrls[0] ?? '' }, stripe)
  for (const { healthUrl } of stack.processes.offers) await (await fetch(`${healthUrl}/metrics`)).text()
  for (const statement of logPlans(false)) await sql.unsafe(statement)
  return log.plans.filter(({ service }) => /^(offers|auth-tokens|compute)$/.test(service))
}

/** Executed when a database is provisioned, or before a process is ready: on tables of a few rows. */
const atStart = new Set([
  'auth_tokens.find_signing_keys',
  'auth_tokens.insert_signing_keys',
  'runtime.check_function_bodies',
  'runtime.compose_password',
  'runtime.create_database',
  'runtime.create_function_revision',
  'runtime.create_role',
  'runtime.create_schema',
  'runtime.ensure_quotas',
  'runtime.find_database',
  'runtime.find_function_revision',
  'runtime.find_migrations_table',
  'runtime.find_role',
  'runtime.grant_database',
  'runtime.list_migrations',
  'runtime.lock_provisioning',
  'runtime.lock_functions',
  'runtime.read_function_revision',
  'runtime.revoke_public_database',
  'runtime.revoke_public_schema',
  'runtime.set_function_path',
  'runtime.set_search_path',
  'runtime.write_function_revision',
])

test('every statement has a unique name, and none is missing here', async () => {
  const statements = await readStatements()
  expect(statements.filter(({ name }) => name === undefined)).toEqual([])
  const names = statements.map(({ name }) => name).sort()
  expect(names.filter((name, at) => name === names[at - 1])).toEqual([])
  await expect(`${names.join('\n')}\n`).toMatchFileSnapshot('statements.txt')
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
  const plans = await plansOfEveryStatement()
  expect(plans.filter(({ seqScans }) => seqScans.length > 0)).toEqual([])

  const seen = new Set(plans.map(({ query }) => nameOf(query)))
  const unseen = (await readStatements()).filter(({ name = '' }) => !seen.has(name) && !atStart.has(name))
  expect(unseen).toEqual([])
  // PostgreSQL checks foreign keys with its own statements.
  expect(plans.some(({ query }) => /FOR KEY SHARE/.test(query))).toBe(true)
}
