/**
 * Before a narrowing change is acknowledged, no gateway uses an answer that contradicts it: docs/people/leases.md.
 */
import { scaled } from '@svc/contract/core/deadline-scale'
import { recallSubject } from '@svc/contract/auth-tokens/leases'
import { ApiError, refusal } from '@svc/contract/core/errors'
import type { AskForRecall } from '@svc/bus/recalls'
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
  readonly ask: AskForRecall
}

/** How long a gateway has to acknowledge before it is struck out. */
const patienceMs = scaled(150)
const firstPauseMs = 50
const longestPauseMs = 400
const answerMs = 5000
const statementMs = scaled(2000)
/** A recall that waits for a frozen gateway must not block later ones. */
const maxConcurrent = 200
const maxBatch = 500

export function createRecall({ database, ask }: RecallOptions): Recall {
  const recallAll = coalesce<readonly string[], void>({
    name: 'recalls',
    maxBatch,
    maxConcurrent,
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
    await Promise.all([delay(unknown_ms), ...ids.map(id => recallFrom(id, principals))])
  }

  async function recallFrom(holder: string, principals: readonly string[]) {
    const question = repeatUntilAnswered(() => ask(recallSubject(holder), { principals }, answerMs))
    try {
      if (await within(patienceMs, question.answered)) return
      const ms = await strikeOut(database.within(Date.now() + statementMs), holder)
      await within(ms, question.answered)
    } finally {
      question.end()
    }
  }
}

/** The change was committed, so the error must not say that nothing was executed. */
function outcomeUnknown(error: unknown): never {
  throw error instanceof ApiError && error.tag === 'Unavailable' ? refusal('timeout') : error
}

function repeatUntilAnswered(ask: () => Promise<boolean>) {
  let timer: NodeJS.Timeout | undefined
  const answered = new Promise<void>(resolve => {
    const repeat = (pause: number) => {
      ask().then(
        yes => yes && resolve(),
        // A request that failed is not an answer.
        () => {},
      )
      timer = setTimeout(repeat, pause, Math.min(2 * pause, longestPauseMs)).unref()
    }
    repeat(firstPauseMs)
  })
  const end = () => clearTimeout(timer)
  return { answered: answered.finally(end), end }
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
