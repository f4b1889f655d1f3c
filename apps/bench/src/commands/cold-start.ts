/** How long each process of the product takes from spawn to ready, alone on a machine with database and bus up. */
import { newSealingKey } from '@svc/runtime/seal'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '@svc/local/free-port'
import { type OwnProcess, spawnOwnProcess } from '@svc/local/processes/own-process'
import { repoRoot } from '@svc/local/repo-root'
import { schemaOf } from '@svc/contract/manifest'
import type { ProcessName, Stack } from '@svc/local/stack'
import { startProduct } from '../contestants/product.ts'
import { residentMb } from '../load/process-usage.ts'
import { studyReport } from '../report/report.ts'
import { median } from '../report/statistics.ts'
import { table, whole } from '../report/table.ts'
import { judge } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'

const names: readonly ProcessName[] = ['gateway', 'auth-tokens', 'offers', 'compute', 'activity']
const pollMs = 2
const patienceMs = 30_000

interface Start {
  readonly ms: number
  readonly resident_mb: number
}

export async function coldStart(surroundings: Surroundings): Promise<void> {
  const { options, cleanup, say } = surroundings
  const { servers, machine } = await setScene(surroundings, 1)
  const { stack } = await startProduct(servers, cleanup, { name: 'start' })
  // Bus and database stay; each process is then started alone.
  for (const process of Object.values(stack.processes).flat()) await process.stop()

  const starts: Record<string, Start[]> = Object.fromEntries(names.map(name => [name, []]))
  for (let round = 1; round <= options.rounds; round++) {
    for (const name of names) {
      const start = await startOnce(name, stack, cleanup.add)
      starts[name]?.push(start)
      say(
        `${round}/${options.rounds}  ${name.padEnd(12)} ${whole(start.ms)} ms, ${whole(start.resident_mb)} MB`,
      )
    }
  }

  const summaries = names.map(name => {
    const measured = starts[name] ?? []
    return {
      name,
      median_ms: median(measured.map(({ ms }) => ms)),
      worst_ms: Math.max(...measured.map(({ ms }) => ms)),
      resident_mb: median(measured.map(({ resident_mb }) => resident_mb)),
    }
  })
  const targets = summaries.map(({ name, median_ms }) =>
    judge({
      name: `Cold start of ${name} to ready, median`,
      bound: { at_most: 700 },
      unit: 'ms',
      figure: median_ms,
    }),
  )
  const rows = table(
    ['process', 'median ms', 'worst ms', 'resident MB'],
    summaries.map(({ name, median_ms, worst_ms, resident_mb }) => [
      ...[name, whole(median_ms), whole(worst_ms), whole(resident_mb)],
    ]),
  )
  const title = `Cold start, ${options.rounds} times each`
  await publish(surroundings, {
    report: studyReport({ title, machine, sections: [rows], targets }),
    json: { machine, targets, summaries, starts },
  })
}

async function startOnce(
  name: ProcessName,
  stack: Stack,
  whenStopped: (undo: () => unknown) => () => void,
): Promise<Start> {
  const healthPort = await freePort()
  const env = {
    ...process.env,
    ...stack.bus(name),
    LOG_LEVEL: 'info',
    HEALTH_HOST: '127.0.0.1',
    HEALTH_PORT: String(healthPort),
    ...(name === 'gateway'
      ? { HOST: '127.0.0.1', PORT: String(await freePort()) }
      : { DATABASE_URL: stack.databaseUrls[schemaOf(name)], SEALING_KEYS: newSealingKey('1') }),
  }
  const began = performance.now()
  const script = join(repoRoot, 'services', name, 'dist/main.js')
  const child = await spawnOwnProcess(process.execPath, [script], { cwd: repoRoot, env })
  child.exited.then(whenStopped(() => child.stop(['SIGKILL', 1_000])))
  await untilReady(child, healthPort, name)
  const ms = performance.now() - began
  const resident_mb = residentMb(child.pid)
  await child.stop(['SIGTERM', 15_000])
  return { ms, resident_mb }
}

async function untilReady(child: OwnProcess, port: number, name: string): Promise<void> {
  const ready = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      response => response.ok,
      () => false,
    )
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(pollMs)) {
    if (!child.running()) throw new Error(`${name} does not start:\n${child.tail().join('\n')}`)
    if (await ready()) return
  }
  throw new Error(`${name} is not ready within ${patienceMs / 1000} s.`)
}
