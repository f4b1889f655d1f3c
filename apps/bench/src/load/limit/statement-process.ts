/** A statement of the product with postgres.js as it comes, shared by those who wait at once as the product's is. */
import { randomUUID } from 'node:crypto'
import { coalesce } from '@svc/runtime/coalesce'
import { maxConcurrent, usualBatch } from '@svc/runtime/coalesce-statements'
import { newId, newShortHash } from '@svc/runtime/id'
import { planning } from '@svc/runtime/database-connection'
import postgres from 'postgres'
import type { SentStatement } from '../../contestants/limit/statement-log.ts'
import { serveDriver } from './drive.ts'

export interface StatementOrder extends SentStatement {
  readonly connections: number
  readonly url: string
}

interface NewOffer {
  readonly offer: object
}

serveDriver(async ({ url, text, parameters }: StatementOrder) => {
  const options = { max: 1, fetch_types: false, connection: planning }
  const clients = Array.from({ length: maxConcurrent }, () => postgres(url, options))
  const idle = [...clients]
  const offers = JSON.parse(parameters.find(value => value?.startsWith('[')) ?? '[]') as NewOffer[]
  const valuesFor = (sql: postgres.Sql, calls: number) => {
    if (!offers[0]) return [...parameters]
    const rows = Array.from({ length: calls }, () => anew(offers[0] as NewOffer))
    return [sql.json(rows as never)]
  }
  const execute = coalesce<undefined, undefined>({
    maxBatch: usualBatch,
    maxConcurrent,
    async run(calls) {
      const sql = idle.pop() as postgres.Sql
      await sql.unsafe(text, valuesFor(sql, calls.length), { prepare: true })
      idle.push(sql)
      return calls
    },
  })
  return {
    once: () => execute(undefined),
    end: () => Promise.all(clients.map(sql => sql.end({ timeout: 5 }))),
  }
})

/** Lists share a page, so only offers differ from call to call. */
const anew = ({ offer, ...row }: NewOffer) => ({
  ...row,
  key: randomUUID(),
  offer: { ...offer, id: newId('offer'), short_hash: newShortHash() },
})
