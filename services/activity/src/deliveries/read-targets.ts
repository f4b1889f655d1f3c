/** Reads the URL and secrets for each request that is about to begin; concurrent reads share a statement. */
import { coalesce } from '@svc/runtime/coalesce'
import type { Sql } from '@svc/runtime/database'
import type { Claimed } from './claim-endpoints.ts'

export interface Target {
  readonly url: string
  readonly secret: string
  readonly previous_secret: string | null
  readonly is_active: boolean
}

/** Undefined if somebody else holds the endpoint, or it was deleted. */
export type ReadTarget = (claimed: Claimed) => Promise<Target | undefined>

export const createReadTarget = (sql: () => Sql, now: () => number): ReadTarget =>
  coalesce<Claimed, Target | undefined>({
    run: items => readTargets(sql(), items, now() / 1000),
    maxBatch: 64,
    maxConcurrent: 4,
    keyOf,
  })

async function readTargets(sql: Sql, items: readonly Claimed[], at: number) {
  const rows = await sql<Claimed & Target>`/* activity.read_targets */
    select w.id, w.turn, w.url, w.secret, w.state = 'active' as is_active,
      case when w.previous_secret_expires_at > to_timestamp(${at}) then w.previous_secret end as previous_secret
    from jsonb_to_recordset(${sql.json(items.map(({ id, turn }) => ({ id, turn })))}) as a (id text, turn bigint)
    join webhook_endpoints w on w.id = a.id and w.turn = a.turn`
  const found = new Map(rows.map(row => [keyOf(row), row]))
  return items.map(item => found.get(keyOf(item)))
}

const keyOf = ({ id, turn }: Claimed) => `${id} ${turn}`
