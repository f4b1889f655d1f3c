// Holds what a load was told against what the database has.
import { Agent } from 'node:http'
import { type Attempt, createOffer } from './load.ts'
import type { TestStack } from './stack/stack.ts'

export type Ledger = {
  acknowledged: number
  lost: number
  duplicated: number
  halfWritten: number
  /** Failed attempts whose retry with the same key did not give the offer that was there already, or a new one. */
  wrongRetries: number
  undocumented: number
}

const documented = new Set(['Unavailable', 'Timeout', 'Internal'])

/** Retries every attempt that failed, with its key, and then compares every answer with the tables. */
export async function settleAccounts(running: TestStack, attempts: Attempt[], body: object): Promise<Ledger> {
  const { sql, dev } = running
  const keysNow = async () => {
    const rows = await sql<{ key: string; offer_id: string | null }[]>`
      select key, offer_id from offers.idempotency_keys where workspace_id = ${dev.workspace_id}`
    return new Map(rows.map(({ key, offer_id }) => [key, offer_id]))
  }
  const failed = attempts.filter(({ status }) => status !== 201)
  const before = await keysNow()
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const retried = await Promise.all(
    failed.map(({ key }) => createOffer({ baseUrl: dev.base_url, token: dev.api_token, body, key, agent })),
  )
  agent.destroy()
  const wrongRetries = retried.filter(({ key, status, id }) => {
    const original = before.get(key)
    return status !== 201 || (original && original !== id)
  })
  const after = await keysNow()
  const acknowledged = [...attempts, ...retried].filter(({ status }) => status === 201)
  const [counts] = await sql<{ offers: number; keyed: number; orphans: number }[]>`
    select
      (select count(*)::int from offers.offers where workspace_id = ${dev.workspace_id}) as offers,
      (select count(offer_id)::int from offers.idempotency_keys where workspace_id = ${dev.workspace_id}) as keyed,
      (select count(*)::int from offers.idempotency_keys k
        where workspace_id = ${dev.workspace_id} and offer_id is not null
          and not exists (select from offers.offers o where o.id = k.offer_id)) as orphans`
  const { offers = 0, keyed = 0, orphans = 0 } = counts ?? {}
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ key, id }) => after.get(key) !== id).length,
    duplicated: offers - keyed,
    halfWritten: orphans,
    wrongRetries: wrongRetries.length,
    // A broken connection has no body; every answer has one.
    undocumented: failed.filter(({ status, tag }) => status !== 0 && !documented.has(tag ?? '')).length,
  }
}

/** What every ledger has to be, whatever was killed. */
export const settled = { lost: 0, duplicated: 0, halfWritten: 0, wrongRetries: 0, undocumented: 0 }

/** Lines that tell of one of our processes that ended by itself, or of an exception that nobody caught. */
export function deaths(lines: string[]): string[] {
  return lines.filter(line =>
    /^(gateway|offers|auth-tokens|compute)\S* (crashed|\|.*(uncaught|"level":60))/.test(line),
  )
}
