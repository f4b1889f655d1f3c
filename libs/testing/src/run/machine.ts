// How slow the machine is under the load that is there: what tests wait for, and how many run at once, follow from it.
import { spawn } from 'node:child_process'
import { availableParallelism, loadavg, totalmem } from 'node:os'
import postgres from 'postgres'

export interface Machine {
  /** 1 on two quiet cores of 2024, 10 where everything takes ten times as long. */
  readonly slowness: number
  readonly workers: number
  /** A line for whoever reads the run. */
  readonly said: string
}

/** What the work of `measure` takes on two quiet cores. */
const quietMs = 300
const gigabyte = 1024 ** 3

/** @param slowness as given by the caller's environment (SVC_TEST_SLOWNESS), instead of the measured one */
export async function measureMachine(postgresUrl: string, slowness?: string): Promise<Machine> {
  const cores = availableParallelism()
  const ms = await measure(postgresUrl, cores)
  const factor = slowness ? slownessFrom(slowness) : Math.max(1, ms / quietMs)
  const workers = workersFor({ cores, slowness: factor, memory: memoryHere() })
  const given = slowness ? `, SVC_TEST_SLOWNESS=${slowness}` : ''
  const said =
    `machine: ${cores} cores, load ${(loadavg()[0] ?? 0).toFixed(1)}, work of ${quietMs} ms took ${Math.round(ms)} ms${given}: ` +
    `deadlines × ${deadlineScale(factor).toFixed(1)}, ${workers} workers`
  return { slowness: factor, workers, said }
}

/** Twice the slowness: a load may come after the machine was measured. */
export const deadlineScale = (slowness: number): number => 2 * slowness

/** @throws Error for anything but a number from 1 to 100 */
export function slownessFrom(value: string): number {
  const factor = Number(value)
  if (factor >= 1 && factor <= 100) return factor
  throw new Error(`SVC_TEST_SLOWNESS is "${value}": give a number from 1 to 100`)
}

/**
 * One for each core, as each loads and compiles all that tests import; on a busy machine three for four cores. Besides what
 * all share, some 1.8 GB, a worker and the product of its file take 1.2 GB.
 *
 * @param memory bytes
 */
export function workersFor(machine: { cores: number; slowness: number; memory: number }): number {
  const wanted = Math.min(machine.slowness < 2 ? machine.cores : Math.ceil(machine.cores * 0.75), 6)
  return Math.max(1, Math.min(wanted, Math.floor((machine.memory / gigabyte - 1.8) / 1.2)))
}

/** Bytes that this process may use: its container's, or the machine's. */
function memoryHere(): number {
  const constrained = process.constrainedMemory()
  return constrained > 0 && constrained < totalmem() ? constrained : totalmem()
}

/** Starts a process on each core, which hashes, parses and allocates, and sorts in the database meanwhile. */
async function measure(postgresUrl: string, cores: number): Promise<number> {
  const sql = postgres(postgresUrl, { max: 1, onnotice: () => {} })
  try {
    await sql`select 1`
    const began = performance.now()
    await Promise.all([
      sql`select md5(n::text) from generate_series(1, 20000) n order by 1 desc limit 1`,
      ...Array.from({ length: cores }, workInAProcess),
    ])
    return performance.now() - began
  } finally {
    await sql.end()
  }
}

function workInAProcess(): Promise<void> {
  const work = `
    const mb = Buffer.alloc(1 << 20)
    for (let n = 0; n < 60; n++) require('node:crypto').createHash('sha512').update(mb).digest()
    const rows = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ id: n, name: 'n' + n, tags: [n, n] })))
    const kept = []
    for (let n = 0; n < 6; n++) kept.push(JSON.parse(rows))`
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--eval', work], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('close', () => resolve())
  })
}
