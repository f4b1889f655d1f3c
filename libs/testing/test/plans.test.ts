// Every statement of the services finds its rows by an index, whatever the size of the tables.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useCheckout } from '../src/every-checkout-statement.ts'
import { executeEveryStatement } from '../src/every-statement.ts'
import { fillTables } from '../src/fill-tables.ts'
import { createPlanLog, logPlans, planLogSettings } from '../src/plans.ts'
import { everything, patience } from '../src/size.ts'
import { startTestStack, type TestStack } from '../src/stack.ts'
import { type FakeStripe, secretKey, startStripe, webhookSecret } from '../src/stripe-server.ts'

const services = fileURLToPath(new URL('../../../services', import.meta.url))
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
  for (const statement of logPlans(false)) await sql.unsafe(statement)
  return log.plans.filter(({ service }) => /^(offers|auth-tokens|compute)$/.test(service))
}

/** The beginning of each statement in the sources of the services. */
async function statements() {
  const found: { file: string; beginning: string }[] = []
  for (const service of await readdir(services)) {
    const folder = join(services, service, 'src')
    for (const file of await readdir(folder)) {
      if (!file.endsWith('.ts')) continue
      const source = await readFile(join(folder, file), 'utf8')
      for (const [, text = ''] of source.matchAll(/\bsql(?:<[^`]*>)?`([^`]*)`/g)) {
        found.push({ file: `${service}/${file}`, beginning: normal(text.split('${')[0] ?? '') })
      }
    }
  }
  return found
}

/** Executed before a process is ready, on a table of a few rows. */
const atStart = new Set(['auth-tokens/signing-keys.ts'])

const normal = (text: string) => text.replace(/\s+/g, ' ').trim()

test(
  'with tables as tiny as they are at first; and none is left out',
  async () => {
    await running.sql.unsafe('vacuum (analyze)')
    await everyStatementHasAnIndex()
  },
  patience(60_000),
)

test.runIf(everything)(
  'with tables that have grown; and none is left out',
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

  const all = await statements()
  expect(all.length).toBeGreaterThan(25)
  const unseen = all.filter(({ beginning }) => !plans.some(({ query }) => query.startsWith(beginning)))
  expect(unseen.filter(({ file }) => !atStart.has(file))).toEqual([])
  // Foreign keys are checked by statements of PostgreSQL's own.
  expect(plans.some(({ query }) => /FOR KEY SHARE/.test(query))).toBe(true)
}
