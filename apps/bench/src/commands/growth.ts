/**
 * The product on tables that have grown for years, in turns with the product on empty ones, and the plans of its
 * statements.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevFile } from '@svc/local/seed-demo'
import { accessOf } from '@svc/testing/stack/nats-config'
import { executeEveryStatement } from '@svc/testing/statements/every-statement'
import { fillTables } from '@svc/testing/statements/fill-tables'
import { createPlanLog, logPlans, type PlanLog, planLogSettings } from '@svc/testing/statements/plans'
import type postgres from 'postgres'
import type { Contestant } from '../contestants/contestant.ts'
import type { Product } from '../contestants/product.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { studyReport } from '../report/report.ts'
import { ratio } from '../report/statistics.ts'
import { find, type Summary, summarise, type WindowRecord } from '../report/summary.ts'
import { decimals, table, whole } from '../report/table.ts'
import { judge, type Target } from '../report/targets.ts'
import { calmPostgres, type Scene, setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { burnIn, measureAll } from './rounds.ts'

const tokens = 100_000
const [empty, filled] = ['empty', 'filled']
/** Frequent purges, so that every background statement is executed while plans are recorded. */
const env = { PURGE_EVERY_SECONDS: '1', MAIL_URL: 'log:' }

/** What was measured with that many offers in the tables. */
interface Stage {
  readonly offers: number
  readonly medians: readonly Summary[]
  readonly windows: readonly WindowRecord[]
  /** How many statements PostgreSQL planned, and those that read a whole table. */
  readonly plans: number
  readonly without_index: readonly string[]
}

export async function growth(surroundings: Surroundings): Promise<void> {
  const { options, cleanup, say } = surroundings
  const { sizes, workloads, connections = [32] } = options
  const log = createPlanLog()
  say('  … PostgreSQL, the seed and both stacks')
  const settings = { ...calmPostgres, ...planLogSettings }
  const scene = await setScene(cleanup, Math.max(...connections), { settings, onPostgresLog: log.onLog })
  const small = await productContestant(empty, scene, { env })
  const large = await productContestant(filled, scene, { env, withTests: true })
  // What fills the tables is kept.
  const contestants: Contestant[] = [small, { ...large, reset: async () => {} }]
  await burnIn(contestants, surroundings)

  const cells = workloads.flatMap(workload => connections.map(number => ({ workload, connections: number })))
  const stages: Stage[] = []
  for (const offers of sizes) {
    say(`  … filling: ${whole(offers)} offers, ${whole(tokens)} tokens`)
    await fillTables(large.sql, { offers, tokens, ...scene.seed })
    const plans = await plansOf(large.product, scene, large.sql, log)
    const windows = await measureAll(contestants, cells, scene, surroundings)
    stages.push({ offers, windows, medians: summarise(windows), ...plans })
  }

  const [targets, { machine }] = [stages.flatMap(growthTargets), scene]
  const title = `Growth: the product, ${whole(tokens)} tokens, so many offers, beside empty tables`
  await publish(surroundings, {
    report: studyReport({ title, machine, sections: stages.map(stageTable), targets }),
    json: { machine, targets, stages },
  })
}

async function plansOf(product: Product, { servers }: Scene, sql: postgres.Sql, log: PlanLog) {
  const dev = JSON.parse(await readFile(join(servers.folder, 'seed', 'dev.json'), 'utf8')) as DevFile
  log.plans.length = 0
  for (const statement of logPlans(true)) await servers.sql.unsafe(statement)
  const { bus, gateways, natsUrl } = product.stack
  await executeEveryStatement({ stack: { bus: accessOf(bus), gateways, natsUrl }, dev, sql })
  for (const statement of logPlans(false)) await servers.sql.unsafe(statement)
  const own = log.plans.filter(({ service }) => Object.keys(product.stack.processes).includes(service))
  const without = own.filter(({ seqScans }) => seqScans.length > 0)
  return { plans: own.length, without_index: [...new Set(without.map(({ query }) => query))] }
}

function growthTargets({ offers, medians, without_index }: Stage): Target[] {
  const cells = medians.filter(({ variant }) => variant === filled)
  return [
    ...cells.map(({ workload, connections, per_second }) =>
      judge({
        name: `${whole(offers)} offers, ${workload}, ${connections}: requests/s with empty tables in units of these`,
        bound: { at_most: 1.15 },
        unit: '×',
        figure: ratio(find(medians, { workload, connections, variant: empty })?.per_second, per_second),
      }),
    ),
    judge({
      name: `${whole(offers)} offers: statements that read a whole table`,
      bound: { at_most: 0 },
      unit: '',
      figure: without_index.length,
    }),
  ]
}

const stageTable = ({ offers, medians, plans }: Stage) =>
  `${whole(offers)} offers (${whole(plans)} plans looked at):\n\n${table(
    ['workload', 'connections', 'tables', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs', 'PostgreSQL µs'],
    medians.map(({ workload, connections, variant, per_second, p50_ms, p99_ms, cpu_total_us, cpu_us }) => [
      ...[workload, String(connections), variant, whole(per_second), decimals(p50_ms), decimals(p99_ms)],
      ...[whole(cpu_total_us), whole(cpu_us?.postgres)],
    ]),
  )}`
