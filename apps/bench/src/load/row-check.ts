/**
 * The rows written must match the requests acknowledged: a variant that answers before it writes, or writes twice, is
 * not comparable.
 */
import type postgres from 'postgres'
import { sum } from '../report/statistics.ts'
import { createsOffer, type Kind, usesKey } from './workloads.ts'

export interface RowCounts {
  readonly offers: number
  readonly keys: number
}

export interface Written {
  /** Requests answered with success in warm-up, window and afterwards, and the rows that were found. */
  readonly acknowledged: number
  readonly offers_written: number
  readonly keys_written: number
}

export async function countRows(sql: postgres.Sql): Promise<RowCounts> {
  const [counts] = await sql<[RowCounts]>`
    select (select count(*)::int from offers.offers) as offers,
      (select count(*)::int from offers.idempotency_keys where offer_id is not null) as keys`
  return counts
}

/**
 * @returns what was acknowledged and written
 * @throws Error if they differ
 */
export function checkRows(
  before: RowCounts,
  after: RowCounts,
  acknowledged: Readonly<Partial<Record<Kind, number>>>,
): Written {
  const kinds = Object.entries(acknowledged) as [Kind, number][]
  const countOf = (which: (kind: Kind) => boolean) =>
    sum(kinds.filter(([kind]) => which(kind)).map(([, count]) => count))
  const [offers, keys] = [countOf(createsOffer), countOf(usesKey)]
  const written = { offers: after.offers - before.offers, keys: after.keys - before.keys }
  if (written.offers !== offers || written.keys !== keys) {
    throw new Error(
      `${offers} offers were acknowledged (${keys} with a key), but ${written.offers} offers and ${written.keys} keys were written.`,
    )
  }
  return {
    acknowledged: sum(kinds.map(([, count]) => count)),
    offers_written: written.offers,
    keys_written: written.keys,
  }
}

/** @throws Error if a cluster's etag is not the last one that was acknowledged */
export async function checkEtags(sql: postgres.Sql, etags: Readonly<Record<string, string>>): Promise<void> {
  const ids = Object.keys(etags)
  if (ids.length === 0) return
  const found = await sql<{ id: string; etag: string }[]>`
    select id, etag from compute.clusters where id = any(${ids})`
  const wrong = ids.filter(id => !found.some(cluster => cluster.id === id && cluster.etag === etags[id]))
  if (wrong.length > 0) {
    throw new Error(
      `${wrong.length} of ${ids.length} clusters do not have the settings that were acknowledged last.`,
    )
  }
}
