/** The product against its peers and floors, interleaved. */
import { resolve } from 'node:path'
import { comparisonChart } from '../report/chart.ts'
import type { Cleanup } from '../cleanup.ts'
import { bareNote } from '../contestants/bare.ts'
import { productName } from '../contestants/contestant.ts'
import { pgbench, postgresSettings, requestReply, startField } from '../contestants/field.ts'
import { openResults } from '../files.ts'
import { choose, type Options } from '../options.ts'
import { createProgress } from '../progress.ts'
import { comparisonReport, measuringNote, othersNote } from '../report/report.ts'
import { burnIn, estimatesOf, runRounds } from './rounds.ts'
import { cellsOf, connectionsOf, turnsOf } from './schedule.ts'
import { setScene } from '../scene.ts'
import { type Summary, summarise, type WindowRecord } from '../report/summary.ts'
import { targetsOf } from '../report/targets.ts'
import { type Peer, peersFolder as ownPeers, readPeers } from '../contestants/variants.ts'
import { warmUpMs } from '../load/window.ts'
import { type Workload, workloadLabels, workloadNames } from '../load/workloads.ts'

export interface Surroundings {
  readonly cleanup: Cleanup
  /** A line of progress. */
  say(line: string): void
  /** A part of the result. */
  print(text: string): void
  /** Installs and builds apps/bench/peers. */
  preparePeers(): Promise<void>
}

export const smokeNote = 'A smoke run: it shows that everything works, and its figures mean nothing.'

export async function compare(options: Options, { cleanup, say, print, preparePeers }: Surroundings) {
  const { rounds, seconds } = options
  const peersFolder = peersFolderOf(options)
  const peers = await readPeers(peersFolder)
  const names = choose(options.variants, variantNames(peers))
  if (peersFolder === ownPeers && names.some(name => name !== productName)) await preparePeers()

  const cells = cellsOf(options)
  const connections = Math.max(...cells.map(cell => cell.connections))
  const step = (text: string) => say(`  … ${text}`)
  step('PostgreSQL and the seed')
  const scene = await setScene(cleanup, connections, postgresSettings)
  const field = await startField({ names, peers, peersFolder, bare: options.bare, step }, scene)
  const { contestants, machine } = field
  const notes = [...(options.bare ? [bareNote] : []), ...field.notes]
  for (const note of notes) say(`  ${note}`)

  const results = await openResults(options.out, 'compare')
  const windows: WindowRecord[] = []
  // The targets are for the product as it is.
  const judged = (medians: readonly Summary[]) => (options.bare ? [] : targetsOf(medians))
  const json = (complete: boolean) => {
    const medians = summarise(windows)
    const settings = { rounds, seconds, warm_up_seconds: warmUpMs / 1000, postgres: postgresSettings }
    const targets = judged(medians)
    return `${JSON.stringify({ complete, machine, settings, notes, targets, medians, windows }, null, 1)}\n`
  }
  const forget = cleanup.add(async () => {
    if (windows.length > 0) say(`What was measured so far: ${await results.write('json', json(false))}`)
  })

  if (!options.quick) await burnIn(contestants, step)
  const plan = cells.map(cell => ({ cell, turns: turnsOf(cell, contestants, rounds) }))
  const progress = createProgress(estimatesOf(plan, seconds), say)
  const { instruments } = scene
  await runRounds({ plan, seconds, instruments, progress, onWindow: window => void windows.push(window) })

  forget()
  const medians = summarise(windows)
  const report = comparisonReport(medians, judged(medians), machine, [
    ...(options.quick ? [smokeNote] : []),
    ...notes,
    ...measuringNote(medians),
    ...othersNote(medians),
  ])
  print(report)
  const floors = contestants.filter(({ floor }) => floor).map(({ name }) => name)
  const written = [
    await results.write('json', json(true)),
    await results.write('md', `${report}\n`),
    await results.write('svg', comparisonChart(medians, machine, floors)),
  ]
  print(`\n${written.join('\n')}`)
}

export const peersFolderOf = ({ peers }: Pick<Options, 'peers'>) =>
  peers === undefined ? ownPeers : resolve(peers)

export const variantNames = (peers: readonly Peer[]): string[] => [
  productName,
  ...peers.filter(({ floor }) => !floor).map(({ name }) => name),
  ...peers.filter(({ floor }) => floor).map(({ name }) => name),
  pgbench.name,
  requestReply.name,
]

export async function listVariants(options: Options): Promise<string> {
  const peers = await readPeers(peersFolderOf(options))
  const labels = new Map<string, string>([
    [productName, 'the product, as npm start runs it'],
    [pgbench.name, pgbench.label],
    [requestReply.name, requestReply.label],
    ...peers.map(({ name, label }) => [name, label] as const),
  ])
  const variants = variantNames(peers).map(name => `  ${name.padEnd(24)} ${labels.get(name) ?? ''}`.trimEnd())
  const connections = (name: Workload) => connectionsOf(name, undefined).join(', ')
  const workloads = workloadNames.map(
    name => `  ${name.padEnd(24)} ${workloadLabels[name]}; connections: ${connections(name)}`,
  )
  return ['variants', ...variants, 'workloads', ...workloads].join('\n')
}
