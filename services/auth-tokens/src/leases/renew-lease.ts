import { type Asked, coalesceStatements } from '@svc/runtime/coalesce-statements'
import type { Database } from '@svc/runtime/database'
import { randomUUID } from 'node:crypto'
import { type RenewedLease, renewLeases } from './holders.ts'

interface Renewal extends Asked {
  readonly id: string
}

export type RenewLease = (renewal: Renewal) => Promise<RenewedLease>

/** Who renews a lease goes on with it meanwhile, and one statement for many costs a fraction of one for each. */
const restMs = 50

export const createRenewLease = (database: Database): RenewLease =>
  coalesceStatements<Renewal, RenewedLease>(
    database,
    async (sql, renewals) => {
      const ids = [...new Set(renewals.map(({ id }) => id))]
      const rows = await renewLeases(
        sql,
        ids.map(id => ({ id, grant_id: randomUUID() })),
      )
      const byId = new Map(rows.map(row => [row.id, row]))
      return renewals.map(({ id }) => byId.get(id) as RenewedLease)
    },
    { name: 'lease_renewals', restMs },
  )
