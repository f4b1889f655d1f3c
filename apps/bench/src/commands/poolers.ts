/** The product at PostgreSQL itself and through PgBouncer in both of its modes, all running, in turns. */
import { hasPgBouncer, startPgBouncer } from '@svc/testing/pgbouncer'
import { postgresSettings } from '../contestants/field.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import { type Options, UsageError } from '../options.ts'
import { createProgress } from '../progress.ts'
import { sideBySide } from '../report/report.ts'
import { summarise, type WindowRecord } from '../report/summary.ts'
import { setScene } from '../scene.ts'
import type { Surroundings } from './compare.ts'
import { burnIn, estimatesOf, runRounds } from './rounds.ts'
import { turnsOf } from './schedule.ts'

const usualConnections = [32]

export async function poolers(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  if (!hasPgBouncer()) throw new UsageError('There is no pgbouncer on PATH: apt-get install pgbouncer.')
  const { rounds, seconds } = options
  const connections = options.connections ?? usualConnections
  say('  … PostgreSQL, the seed and three stacks')
  const scene = await setScene(cleanup, Math.max(...connections), postgresSettings)
  const { seed, servers, instruments } = scene
  const direct = await productContestant({ name: 'direct', label: 'PostgreSQL itself', seed }, scene)
  const contestants = [direct.contestant]
  const { url } = servers.postgres
  const passwords = { ...servers.secrets.postgres, postgres: decodeURIComponent(new URL(url).password) }
  for (const mode of ['session', 'transaction'] as const) {
    const bouncer = await cleanup.own(
      () => startPgBouncer(url, passwords, mode),
      started => started.stop(),
    )
    const adminUrl = bouncer.through(url)
    const { contestant } = await productContestant(
      { name: mode, label: `PgBouncer in ${mode} mode`, seed, adminUrl },
      scene,
    )
    contestants.push(contestant)
  }
  const machine = await describeMachine(servers, direct.product.stack.nats?.port)
  await burnIn(contestants, text => say(`  … ${text}`))
  const plan = connections
    .map(number => ({ workload: 'product' as const, connections: number }))
    .map(cell => ({ cell, turns: turnsOf(cell, contestants, rounds) }))
  const windows: WindowRecord[] = []
  await runRounds({
    plan,
    seconds,
    instruments,
    progress: createProgress(estimatesOf(plan, seconds), say),
    onWindow: window => void windows.push(window),
  })
  const medians = summarise(windows)
  const report = [`# Poolers: POST /offers\n\n${machineLine(machine)}`, sideBySide(medians)].join('\n\n')
  print(report)
  const results = await openResults(options.out, 'poolers')
  const json = JSON.stringify({ machine, medians, windows }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}
