import { refusal } from '@svc/contract/core/errors'
import { coalesce } from './coalesce.ts'
import type { Database, Sql } from './database.ts'
import { leftNothingBehind, statementTimeout } from './database-connection.ts'

export interface Asked {
  /** When the call times out, in Unix milliseconds. */
  readonly deadline: number
}

export interface StatementOptions<Item> {
  readonly name?: string
  readonly maxBatch?: number
  readonly restMs?: number
  /** Items with the same key share one entry: only for statements that read. */
  readonly keyOf?: (item: Item) => string
  /** Items of different lanes never share a statement. */
  readonly laneOf?: (item: Item) => string
}

export const maxConcurrent = 4
export const usualBatch = 64

/**
 * Makes a function whose calls share statements. `run` answers many items with one statement, in their order, each
 * with its result or its error.
 *
 * Calls share a statement only if their statement timeouts are the same; a call whose deadline passed while it
 * waited is not executed. If PostgreSQL refuses the statement because of one item, every item is retried
 * separately.
 * @throws ApiError as `openDatabase` says
 */
export function coalesceStatements<Item extends Asked, Result>(
  database: Database,
  run: (sql: Sql, items: Item[]) => Promise<(Result | Error)[]>,
  { name, maxBatch = usualBatch, restMs, keyOf, laneOf }: StatementOptions<Item> = {},
): (item: Item) => Promise<Result> {
  const { metrics } = database
  let late = 0
  metrics.read('svc_deadline_drops_total', { at: 'batch' }, () => late)
  return coalesce<Item, Result>({
    async run(items) {
      const now = Date.now()
      const inTime = items.filter(({ deadline }) => deadline > now)
      late += items.length - inTime.length
      const deadline = Math.min(...inTime.map(item => item.deadline))
      const results = inTime.length > 0 ? await run(database.within(deadline), inTime) : []
      if (inTime.length === items.length) return results
      const rest = results[Symbol.iterator]()
      return items.map(item => (item.deadline > now ? (rest.next().value as Result) : refusal('overloaded')))
    },
    name,
    maxBatch,
    restMs,
    maxConcurrent,
    keyOf: keyOf && (item => `${keyOf(item)} ${stepOf(item)}`),
    groupOf: laneOf ? item => `${stepOf(item)} ${laneOf(item)}` : stepOf,
    retryAlone: leftNothingBehind,
    metrics,
  })
}

const stepOf = ({ deadline }: Asked) => statementTimeout(deadline - Date.now())
