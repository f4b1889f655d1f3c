/** The two ways of having connections: postgres.js as it comes, or several clients of one connection in turn. */
import postgres from 'postgres'

export interface Pool {
  /** The client that the next statement is sent by. */
  next(): postgres.Sql
  /** Runs a transaction. */
  begin<T>(work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** As many connections as postgres.js opens by default. */
const transactionsAtOnce = 10

/** @param kind `default`, or `<n>x1`: n clients with `max: 1` */
export function openPool(url: string, kind = 'default'): Pool {
  const count = kind === 'default' ? 1 : Number(/^(\d+)x1$/.exec(kind)?.[1])
  if (!count) throw new Error(`POOL is "default" or "<n>x1", not "${kind}".`)
  const options = kind === 'default' ? {} : { max: 1 }
  const clients = Array.from({ length: count }, () => postgres(url, options))
  // Transactions have connections of their own, and never more of them wait than there are: postgres.js 3.4.9 else
  // fails with UNSAFE_TRANSACTION, once in some ten thousand requests at 128 connections.
  const transactions = postgres(url, options)
  const waiting: (() => void)[] = []
  let free = kind === 'default' ? transactionsAtOnce : 1
  let turn = 0
  return {
    next() {
      turn = (turn + 1) % count
      return clients[turn] as postgres.Sql
    },
    async begin<T>(work: (tx: postgres.TransactionSql) => Promise<T>) {
      if (free > 0) free--
      else await new Promise<void>(resolve => waiting.push(resolve))
      try {
        return (await transactions.begin(work)) as T
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
    async close() {
      await Promise.all([...clients, transactions].map(client => client.end({ timeout: 5 })))
    },
  }
}
