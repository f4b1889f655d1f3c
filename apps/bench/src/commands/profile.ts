/** Where the product's processes spend their time under load: a flame graph of each. */
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { productContestant } from '../contestants/product-contestant.ts'
import { busyTime, flameGraph, type Profile } from '../report/flame-graph.ts'
import { studyReport } from '../report/report.ts'
import { table } from '../report/table.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'

const warmUpSeconds = 15
const processes = ['gateway', 'auth-tokens', 'offers'] as const
/** A process starts its profile at most this long after the request. */
const startSeconds = 3

export async function profile(surroundings: Surroundings): Promise<void> {
  const { options, say } = surroundings
  const { seconds } = options
  const connections = options.connections?.[0] ?? 32
  const scene = await setScene(surroundings, connections)
  const folder = join(scene.servers.folder, 'profiles')
  await mkdir(folder)
  const env = {
    NODE_OPTIONS: `--import=${new URL('./profile-process.js', import.meta.url)}`,
    BENCH_PROFILES: folder,
  }
  const began = Date.now()
  const { product, measure } = await productContestant('profiled', scene, { env })
  const pids = product.pids()
  say(`  … ${warmUpSeconds} s of warm-up, then ${seconds} s`)
  await measure({ workload: 'product', connections, seconds: warmUpSeconds + seconds })
  const to = (Date.now() - began) * 1000 - startSeconds * 1e6
  await product.stack.stop()

  const load = `POST /offers, ${connections} connections`
  const sections: string[] = []
  const images: Record<string, string> = {}
  for (const name of processes) {
    const recorded = JSON.parse(await readFile(join(folder, `${pids[name]}.cpuprofile`), 'utf8')) as Profile
    const { root, byOwner } = busyTime(recorded, to - seconds * 1e6, to)
    images[`${name}.svg`] = flameGraph(root, `${name}: ${load}`)
    const rows = byOwner
      .slice(0, 14)
      .map(({ what, share }) => [what, `${(100 * share).toFixed(1)} %`] as const)
    sections.push(`${name}, busy time by whose code it was:`, table(['code', 'share'], rows))
  }
  const { machine } = scene
  await publish(surroundings, {
    report: studyReport({ title: `Profile: ${load}, ${seconds} s`, machine, sections }),
    json: { machine, load, seconds },
    images,
  })
}
