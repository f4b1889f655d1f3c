/** Revocations of API tokens over HTTP, with the time that each took. */
import { setTimeout as delay } from 'node:timers/promises'
import { startLoop } from '../load/loop.ts'
import type { Seed } from '../load/workloads.ts'
import { ownerOf } from './ask.ts'

export interface Revocation {
  /** Milliseconds from the beginning of the series. */
  readonly due_ms: number
  readonly took_ms: number
  /** Absent if it succeeded. */
  readonly failed?: string
}

export interface Revoker {
  /** Makes the tokens for {@link Revoker.atRate}, so that it begins at once. */
  prepare(perSecond: number, forMs: number): Promise<void>
  /** Each after the answer to the one before. */
  oneByOne(count: number): Promise<Revocation[]>
  /** However long the answers take. */
  atRate(perSecond: number, forMs: number): Promise<Revocation[]>
}

const madeAtOnce = 8
const spare = 10
/** What has failed counts as the longest that it could have taken. */
const givenUpMs = 5000
/** A frozen holder holds up every revocation for seconds. */
const lanes = 128

export function createRevoker(url: string, seed: Seed): Revoker {
  const send = ownerOf(url, seed)
  const ids: string[] = []

  async function makeTokens(count: number) {
    const make = async () => {
      while (ids.length < count) ids.push((await send('POST', '/api_tokens', { name: 'bench' })).id as string)
    }
    await Promise.all(Array.from({ length: madeAtOnce }, make))
  }
  async function revoke(began: number, dueAt: number): Promise<Revocation> {
    const id = ids.pop()
    if (id === undefined) throw new Error('There is no token left to be revoked.')
    const answer = send('DELETE', `/api_tokens/${id}`)
    const failed = await answer.then(
      () => undefined,
      (error: Error) => error.message,
    )
    const elapsed = performance.now() - dueAt
    return { due_ms: dueAt - began, took_ms: failed ? Math.max(elapsed, givenUpMs) : elapsed, failed }
  }
  const prepare = (perSecond: number, forMs: number) => makeTokens((perSecond * forMs) / 1000 + spare)
  return {
    prepare,
    async oneByOne(count) {
      await makeTokens(count)
      const done: Revocation[] = []
      for (const began = performance.now(); done.length < count; )
        done.push(await revoke(began, performance.now()))
      return done
    },
    async atRate(perSecond, forMs) {
      await prepare(perSecond, forMs)
      const done: Revocation[] = []
      const began = performance.now()
      const act = async (_lane: number, dueAt: number) => void done.push(await revoke(began, dueAt))
      const loop = startLoop({ lanes, perSecond, what: 'revocations', act })
      await loop.during(delay(forMs))
      await loop.stop()
      return done
    },
  }
}
