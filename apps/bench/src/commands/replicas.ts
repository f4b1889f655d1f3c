/** The product with one and with two replicas of each service, both running, in turns. */
import { overheadMs, type Surroundings } from './compare.ts'
import { postgresSettings } from '../contestants/field.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import type { Options } from '../options.ts'
import { createProgress } from '../progress.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { decimals, table, targetTable, whole } from '../report/report.ts'
import { burnIn, runRounds } from './rounds.ts'
import { setScene } from '../scene.ts'
import { turnsOf } from './schedule.ts'
import { ratio } from '../report/statistics.ts'
import { find, type Summary, summarise, type WindowRecord } from '../report/summary.ts'
import { judge, type Target } from '../report/targets.ts'
import { warmUpMs } from '../load/window.ts'

const usualConnections = [32]
const one = 'one-replica'
const two = 'two-replicas'

export async function replicas(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const { rounds, seconds } = options
  const connections = options.connections ?? usualConnections
  say('  … PostgreSQL, the seed and both stacks')
  const scene = await setScene(cleanup, Math.max(...connections), postgresSettings)
  const { seed, servers, instruments } = scene
  const single = await productContestant({ name: one, label: 'one replica of each service', seed }, scene)
  const double = await productContestant(
    {
      name: two,
      label: 'two replicas of each service',
      seed,
      replicas: { offers: 2, 'auth-tokens': 2, compute: 2 },
    },
    scene,
  )
  const machine = await describeMachine(servers, single.product.stack.nats?.port)
  const contestants = [single.contestant, double.contestant]
  await burnIn(contestants, text => say(`  … ${text}`))
  const plan = connections
    .map(number => ({ workload: 'product' as const, connections: number }))
    .map(cell => ({ cell, turns: turnsOf(cell, contestants, rounds) }))
  const windows: WindowRecord[] = []
  await runRounds({
    plan,
    seconds,
    instruments,
    progress: createProgress(2 * rounds * plan.length, warmUpMs + seconds * 1000 + overheadMs, say),
    onWindow: window => void windows.push(window),
  })

  const medians = summarise(windows)
  const targets = connections.map(number => replicaTarget(medians, number))
  const report = [
    `# Replicas: POST /offers\n\n${machineLine(machine)}`,
    table(
      ['connections', 'variant', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs'],
      medians.map(({ connections: number, variant, per_second, p50_ms, p99_ms, cpu_total_us }) => [
        ...[String(number), variant, whole(per_second), decimals(p50_ms), decimals(p99_ms)],
        whole(cpu_total_us),
      ]),
    ),
    targetTable(targets),
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, 'replicas')
  const json = JSON.stringify({ machine, targets, medians, windows }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}

const replicaTarget = (medians: readonly Summary[], connections: number): Target => {
  const of = (variant: string) => find(medians, { workload: 'product', connections, variant })?.per_second
  return judge({
    name: `POST /offers, ${connections}: requests/s, two replicas in units of one`,
    bound: { at_least: 1 },
    unit: '×',
    figure: ratio(of(two), of(one)),
  })
}
