/** Compares what the clients were told with what the database has. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DevFile } from '@svc/local/seed-demo'
import type postgres from 'postgres'
import type { Balancer } from './balancer.ts'
import { type LateWrite, lateWrites, readJournal } from './journal.ts'
import type { Exchange, Traffic } from './traffic.ts'

export interface Audit {
  readonly acknowledged: number
  readonly lost: number
  readonly duplicated: number
  readonly halfWritten: number
  /** Failed offers whose retry with the same key gave no offer, or a different one than existed. */
  readonly wrongRetries: number
  /** Committed after the deadline of the request: offers, tokens created and revoked, settings. */
  readonly late: readonly LateWrite[]
}

interface KeyedOffer {
  readonly key: string
  readonly offer_id: string
}

const retryWithinMs = 15_000

/**
 * Retries every failed offer with its key, and compares all answers with the tables. The load must have stopped.
 *
 * @param since the end of the journal when the load began
 */
export async function audit(
  sql: postgres.Sql,
  { exchanges, editors }: Traffic,
  balancer: Balancer,
  dev: DevFile,
  since: number,
): Promise<Audit> {
  // The retries are not part of the load.
  const late = lateWrites(await readJournal(sql, since), exchanges)
  const offers = exchanges.filter(({ kind }) => kind === 'create offer')
  const keyed = await keyedOffers(sql, dev.workspace_id)
  const failed = offers.filter(({ ok }) => !ok)
  const retried = await retryAll(balancer, dev, failed)
  const wrongRetries = retried.filter(({ key, id }) => !id || (keyed.get(key)?.offer_id ?? id) !== id).length
  const after = await keyedOffers(sql, dev.workspace_id)
  const acknowledged = [...offers.filter(({ ok }) => ok), ...retried]
  const lostOffers = acknowledged.filter(({ key, id }) => after.get(key)?.offer_id !== id).length
  const counts = await countOffers(sql, dev.workspace_id)
  const tokens = await auditTokens(sql, exchanges)
  const settings = await auditSettings(sql, editors)
  return {
    acknowledged: exchanges.filter(({ ok, kind }) => ok && !/list|read/.test(kind)).length + retried.length,
    lost: lostOffers + tokens.lost + settings,
    duplicated: counts.offers - counts.keyed + tokens.duplicated,
    halfWritten: counts.halves,
    wrongRetries,
    late,
  }
}

async function keyedOffers(sql: postgres.Sql, workspace: string): Promise<Map<string, KeyedOffer>> {
  const rows = await sql<KeyedOffer[]>`
    select key, offer_id from offers.idempotency_keys
    where workspace_id = ${workspace} and offer_id is not null`
  return new Map(rows.map(row => [row.key, row]))
}

/** All offers of the load have keys. A key whose offer is missing, or an offer without a key, is half a write. */
async function countOffers(sql: postgres.Sql, workspace: string) {
  const [counts] = await sql<{ offers: number; keyed: number; halves: number }[]>`
    select
      (select count(*)::int from offers.offers where workspace_id = ${workspace}) as offers,
      (select count(offer_id)::int from offers.idempotency_keys where workspace_id = ${workspace}) as keyed,
      (select count(*)::int from offers.idempotency_keys k
        where workspace_id = ${workspace} and offer_id is not null
          and not exists (select from offers.offers o where o.id = k.offer_id)) as halves`
  return counts ?? { offers: 0, keyed: 0, halves: 0 }
}

async function auditTokens(sql: postgres.Sql, exchanges: readonly Exchange[]) {
  const created = exchanges.filter(({ kind }) => kind === 'create token')
  const revokes = exchanges.filter(({ kind }) => kind === 'revoke token')
  const rows = await sql<{ id: string; name: string }[]>`select id, name from auth_tokens.api_tokens`
  const present = new Set(rows.map(({ id }) => id))
  const copies = new Map<string, number>()
  for (const { name } of rows) copies.set(name, (copies.get(name) ?? 0) + 1)
  const asked = new Set(revokes.map(({ key }) => key))
  const missing = created.filter(({ ok, id = '' }) => ok && !asked.has(id) && !present.has(id))
  const undead = revokes.filter(({ ok, key }) => ok && present.has(key))
  return {
    lost: missing.length + undead.length,
    duplicated: created.filter(({ key }) => (copies.get(key) ?? 0) > 1).length,
  }
}

async function auditSettings(sql: postgres.Sql, editors: Traffic['editors']): Promise<number> {
  const rows = await sql<
    { id: string; max_machines: number }[]
  >`select id, max_machines from compute.clusters`
  const current = new Map(rows.map(({ id, max_machines }) => [id, max_machines]))
  const wrong = editors.filter(
    ({ cluster, possible }) => possible.size > 0 && !possible.has(current.get(cluster) ?? -1),
  )
  return wrong.length + editors.reduce((sum, { lost }) => sum + lost, 0)
}

/** Each until it is acknowledged, or its time is up. */
async function retryAll(balancer: Balancer, dev: DevFile, failed: readonly Exchange[]) {
  const left = [...failed]
  const retried: { key: string; id: string | undefined }[] = []
  const worker = async () => {
    const connection = balancer.connection()
    for (let one = left.pop(); one; one = left.pop()) {
      retried.push({ key: one.key, id: await retry(one.key) })
    }
    connection.close()

    async function retry(key: string): Promise<string | undefined> {
      const giveUp = Date.now() + retryWithinMs
      do {
        const answer = await connection.send({
          method: 'POST',
          path: '/v1/offers',
          headers: {
            authorization: `Bearer ${dev.api_token}`,
            'content-type': 'application/json',
            'idempotency-key': key,
          },
          body: JSON.stringify({ product_id: dev.product_id }),
        })
        if (answer.status === 201) return JSON.parse(answer.body).id
        await delay(200)
      } while (Date.now() < giveUp)
      return undefined
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
  return retried
}
