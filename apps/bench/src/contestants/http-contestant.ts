/** The product or a peer, measured over HTTP. */
import type postgres from 'postgres'
import { measureWindow, type Subject } from '../load/window.ts'
import type { Scene } from '../scene.ts'
import { resetOffers } from '../seed.ts'
import { connectTo } from '../servers.ts'
import type { Contestant } from './contestant.ts'
import { verify } from './verify.ts'

export interface HttpOptions extends Pick<Subject, 'urls' | 'pids'> {
  readonly name: string
  /** The administrator's URL of its own database. */
  readonly databaseUrl: string
  readonly crashes: readonly string[]
}

export interface HttpContestant extends Contestant {
  /** The administrator's connection to its database. */
  readonly sql: postgres.Sql
}

/** @throws Error if it does not do the same work as the others */
export async function httpContestant(
  { name, databaseUrl, crashes, urls, pids }: HttpOptions,
  { seed, instruments, cleanup }: Scene,
): Promise<HttpContestant> {
  const sql = connectTo(databaseUrl, cleanup)
  const subject = { urls, seed, sql, pids }
  const named = (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    throw new Error([`${name}: ${message}`, ...crashes].join('\n'))
  }
  await verify(subject).catch(named)
  return {
    name,
    sql,
    reset: () => resetOffers(sql, seed),
    measure: plan => measureWindow(subject, instruments, plan).catch(named),
  }
}
