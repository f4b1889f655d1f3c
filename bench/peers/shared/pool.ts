/** The two ways of having connections: postgres.js as it comes, or several clients of one connection in turn. */
import postgres from 'postgres'

export interface Pool {
  /** The client that the next statement or transaction is sent by. */
  next(): postgres.Sql
  close(): Promise<void>
}

/** @param kind `default`, or `<n>x1`: n clients with `max: 1` */
export function openPool(url: string, kind = 'default'): Pool {
  const count = kind === 'default' ? 1 : Number(/^(\d+)x1$/.exec(kind)?.[1])
  if (!count) throw new Error(`POOL is "default" or "<n>x1", not "${kind}".`)
  const options = kind === 'default' ? {} : { max: 1 }
  const clients = Array.from({ length: count }, () => postgres(url, options))
  let turn = 0
  return {
    next() {
      turn = (turn + 1) % count
      return clients[turn] as postgres.Sql
    },
    async close() {
      await Promise.all(clients.map(client => client.end({ timeout: 5 })))
    },
  }
}
