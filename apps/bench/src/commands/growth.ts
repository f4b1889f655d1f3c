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
import postgres from 'postgres'
import type { Surroundings } from './compare.ts'
import type { Contestant } from '../contestants/contestant.ts'
import { postgresSettings } from '../contestants/field.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import type { Options } from '../options.ts'
import type { Product } from '../contestants/product.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { createProgress } from '../progress.ts'
import { decimals, table, targetTable, whole } from '../report/report.ts'
import { burnIn, estimatesOf, runRounds } from './rounds.ts'
import { type Scene, setScene } from '../scene.ts'
import { cellsOf, turnsOf } from './schedule.ts'
import { urlOfDatabase } from '../servers.ts'
import { ratio } from '../report/statistics.ts'
import { find, type Summary, summarise, type WindowRecord } from '../report/summary.ts'
import { judge, type Target } from '../report/targets.ts'

const usualConnections = [32]
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

export async function growth(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const { rounds, seconds, sizes, workloads } = options
  const connections = options.connections ?? usualConnections
  const log = createPlanLog()
  say('  … PostgreSQL, the seed and both stacks')
  const scene = await setScene(
    cleanup,
    Math.max(...connections),
    { ...postgresSettings, ...planLogSettings },
    log.onLog,
  )
  const small = await productContestant({ name: empty, label: 'empty tables', seed: scene.seed, env }, scene)
  const large = await productContestant(
    { name: filled, label: 'filled tables', seed: scene.seed, env, withTests: true },
    scene,
  )
  // What fills the tables is kept.
  const contestants: Contestant[] = [small.contestant, { ...large.contestant, reset: async () => {} }]
  const machine = await describeMachine(scene.servers, small.product.stack.nats?.port)
  const sql = postgres(urlOfDatabase(scene.servers.postgres.url, filled), { max: 2, onnotice: () => {} })
  cleanup.add(() => sql.end({ timeout: 1 }))
  await burnIn(contestants, text => say(`  … ${text}`))

  const cells = cellsOf({ workloads, connections })
  const stages: Stage[] = []
  for (const offers of sizes) {
    say(`  … filling: ${whole(offers)} offers, ${whole(tokens)} tokens`)
    await fillTables(sql, { offers, tokens, ...scene.seed })
    const plans = await plansOf(large.product, scene, sql, log)
    const windows: WindowRecord[] = []
    const plan = cells.map(cell => ({ cell, turns: turnsOf(cell, contestants, rounds) }))
    await runRounds({
      plan,
      seconds,
      instruments: scene.instruments,
      progress: createProgress(estimatesOf(plan, seconds), say),
      onWindow: window => void windows.push(window),
    })
    stages.push({ offers, windows, medians: summarise(windows), ...plans })
  }

  const targets = stages.flatMap(growthTargets)
  const report = [
    `# Growth: the product, ${whole(tokens)} tokens, so many offers, beside empty tables\n\n${machineLine(machine)}`,
    ...stages.map(stageTable),
    targetTable(targets),
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, 'growth')
  const json = JSON.stringify({ machine, targets, stages }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
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
