/** Where the product's processes spend their time under load: a flame graph of each. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Surroundings } from './compare.ts'
import { openResults } from '../files.ts'
import { busyTime, flameGraph, type Profile, type Spent } from '../report/flame-graph.ts'
import { describeMachine, machineLine } from '../machine.ts'
import type { Options } from '../options.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { table } from '../report/report.ts'
import { setScene } from '../scene.ts'

const usualConnections = 32
const warmUpSeconds = 15
const processes = ['gateway', 'auth-tokens', 'offers'] as const
/** A process starts its profile at most this long after the request. */
const startSeconds = 3

export async function profile(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const connections = options.connections?.[0] ?? usualConnections
  const { seconds } = options
  say('  … PostgreSQL, the seed and the product')
  const scene = await setScene(cleanup, connections)
  const folder = join(scene.servers.folder, 'profiles')
  await mkdir(folder)
  const env = {
    NODE_OPTIONS: `--import=${new URL('./profile-process.js', import.meta.url)}`,
    BENCH_PROFILES: folder,
  }
  const began = Date.now()
  const { product, contestant } = await productContestant(
    { name: 'profiled', label: 'the product', seed: scene.seed, env },
    scene,
  )
  const machine = await describeMachine(scene.servers, product.stack.nats?.port)
  const pids = product.pids()
  say(`  … ${warmUpSeconds} s of warm-up, then ${seconds} s`)
  await contestant.measure({ workload: 'product', connections, seconds: warmUpSeconds + seconds })
  const to = (Date.now() - began) * 1000 - startSeconds * 1e6
  await product.stack.stop()

  const results = await openResults(options.out, 'profile')
  const written: string[] = []
  const spent: Record<string, Spent[]> = {}
  for (const name of processes) {
    const recorded = JSON.parse(await readFile(join(folder, `${pids[name]}.cpuprofile`), 'utf8')) as Profile
    const { root, byOwner } = busyTime(recorded, to - seconds * 1e6, to)
    spent[name] = byOwner
    written.push(
      await results.write(
        `${name}.svg`,
        flameGraph(root, `${name}: POST /offers, ${connections} connections`),
      ),
    )
  }
  const report = [
    `# Profile: POST /offers, ${connections} connections, ${seconds} s\n\n${machineLine(machine)}`,
    ...processes.map(
      name =>
        `${name}, busy time by whose code it was:\n\n${table(
          ['code', 'share'],
          (spent[name] ?? []).slice(0, 14).map(({ what, share }) => [what, `${(100 * share).toFixed(1)} %`]),
        )}`,
    ),
  ].join('\n\n')
  print(report)
  print(`\n${[await results.write('md', `${report}\n`), ...written].join('\n')}`)
}
