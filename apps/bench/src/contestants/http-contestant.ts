/** The product or a peer, measured over HTTP. */
import postgres from 'postgres'
import type { Cleanup } from '../cleanup.ts'
import type { Contestant } from './contestant.ts'
import { resetOffers } from '../seed.ts'
import { verify } from './verify.ts'
import { type Instruments, measureWindow, type Subject } from '../load/window.ts'
import type { Seed, Workload } from '../load/workloads.ts'

export interface HttpOptions {
  readonly name: string
  readonly label: string
  readonly workloads: readonly Workload[]
  readonly floor: boolean
  readonly urls: readonly string[]
  readonly seed: Seed
  /** The administrator's URL of its own database. */
  readonly databaseUrl: string
  readonly pids: () => Record<string, number>
  readonly crashes: readonly string[]
}

/** @throws Error if it does not do the same work as the others, unless it is a floor */
export async function httpContestant(
  { name, label, workloads, floor, crashes, ...rest }: HttpOptions,
  instruments: Instruments,
  cleanup: Cleanup,
): Promise<Contestant> {
  const sql = postgres(rest.databaseUrl, { max: 1, onnotice: () => {} })
  cleanup.add(() => sql.end({ timeout: 1 }))
  const subject: Subject = { urls: rest.urls, seed: rest.seed, sql, pids: rest.pids, writes: !floor }
  const named = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    return new Error([`${name}: ${message}`, ...crashes].join('\n'))
  }
  if (!floor) {
    await verify({ ...subject, workloads }).catch(error => Promise.reject(named(error)))
  }
  return {
    name,
    label,
    workloads,
    floor,
    lasting: true,
    reset: () => resetOffers(sql, rest.seed),
    measure: plan => measureWindow(subject, instruments, plan).catch(error => Promise.reject(named(error))),
  }
}
