/**
 * Before a narrowing change is acknowledged, no gateway uses an answer that contradicts it: docs/people/leases.md.
 */
import { scaled } from '@svc/contract/core/deadline-scale'
import { recallOfAll, recallSubject } from '@svc/contract/auth-tokens/leases'
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { OpenRecallQuestion } from '@svc/bus/recalls'
import { coalesce } from '@svc/runtime/coalesce'
import type { Database } from '@svc/runtime/database'
import { settleBefore } from '@svc/runtime/settle-before'
import { setTimeout as delay } from 'node:timers/promises'
import { readHolders, strikeOut } from './holders.ts'

/**
 * Recalls answers that depend on these principals at every gateway. Call it after the change was committed.
 *
 * @param deadline Unix milliseconds
 * @throws ApiError `Timeout` if it cannot end before the deadline, or the database does not answer
 */
export type Recall = (principals: readonly string[], deadline: number) => Promise<void>

export interface RecallOptions {
  readonly database: Database
  readonly openQuestion: OpenRecallQuestion
}

/**
 * How long gateways have to acknowledge before those that have not are struck out. A thousand acknowledgements take up to 150 ms
 * to read; at most 100 ms more keep a revocation below 3.5 s, with the lease of one that is struck out.
 */
const patienceMs = (holders: number) => scaled(150 + moreFor(holders))
/** Gateways of the release before hear only what is sent to them alone, which is what is repeated. */
const firstPauseMs = (holders: number) => 75 + moreFor(holders)
const moreFor = (holders: number) => Math.min(100, Math.floor(holders / 10))
/** A message is lost where a connection is. Many that are merely late must not be flooded. */
const pauseGrowth = 3
const statementMs = scaled(2000)
/** A recall that waits for a frozen gateway must not block later ones. */
const maxConcurrent = 200
const maxBatch = 500
/** Recalls that come while another is under way gather for so long: each is a message to every gateway and back. */
const slowMs = 50

export function createRecall({ database, openQuestion }: RecallOptions): Recall {
  const recallAll = coalesce<readonly string[], void>({
    name: 'recalls',
    maxBatch,
    maxConcurrent,
    slowMs,
    metrics: database.metrics,
    async run(batch) {
      await recallTogether([...new Set(batch.flat())])
      return batch.map(() => undefined)
    },
  })
  return async (principals, deadline) => {
    if (principals.length === 0) return
    await settleBefore(deadline, recallAll(principals), () => refusal('timeout')).catch(outcomeUnknown)
  }

  async function recallTogether(principals: readonly string[]) {
    const { ids, unknown_ms } = await readHolders(database.within(Date.now() + statementMs))
    await Promise.all([delay(unknown_ms), recallFrom(ids, principals)])
  }

  async function recallFrom(ids: readonly string[], principals: readonly string[]) {
    if (ids.length === 0) return
    const { missing, none, leave } = awaitAll(ids)
    const question = openQuestion({ principals }, leave)
    const endRepeats = repeat(firstPauseMs(ids.length), () => {
      for (const id of missing) question.ask(recallSubject(id), id)
    })
    const ends: NodeJS.Timeout[] = []
    try {
      question.ask(recallOfAll)
      if (await within(patienceMs(ids.length), none)) return
      const silent = [...missing]
      const waits = await strikeOut(database.within(Date.now() + statementMs), silent)
      for (const [at, id] of silent.entries()) ends.push(setTimeout(() => leave(id), waits[at]))
      await none
    } finally {
      for (const end of ends) clearTimeout(end)
      endRepeats()
      question.end()
    }
  }
}

/** The change was committed, so the error must not say that nothing was executed. */
function outcomeUnknown(error: unknown): never {
  throw error instanceof ApiError && error.tag === 'Unavailable' ? refusal('timeout') : error
}

function awaitAll(ids: readonly string[]) {
  const missing = new Set(ids)
  let end!: () => void
  const none = new Promise<void>(resolve => {
    end = resolve
  })
  const leave = (id: string) => {
    missing.delete(id)
    if (missing.size === 0) end()
  }
  return { missing, none, leave }
}

/** @returns a function that ends it */
function repeat(firstMs: number, ask: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (pause: number) => {
    const again = () => {
      ask()
      wait(pauseGrowth * pause)
    }
    timer = setTimeout(again, pause).unref()
  }
  wait(firstMs)
  return () => clearTimeout(timer)
}

async function within(ms: number, done: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), ms)
  })
  try {
    return await Promise.race([done.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
