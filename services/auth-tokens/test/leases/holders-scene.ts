/** The statements of leases, and an administrator who moves their times. */
import { openPool } from '@svc/testing/open-pool'
import { waitMarginMs } from '@svc/contract/auth-tokens/leases'
import type { Database } from '@svc/runtime/database'
import { shareTestDatabase } from '@svc/testing/database'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type RenewedLease, renewLeases } from '../../src/leases/holders.ts'

export interface HoldersScene {
  readonly database: Database
  /** The administrator's connection. */
  readonly admin: postgres.Sql
  /** Renews the lease of this holder. */
  renew(id: string): Promise<RenewedLease>
  /** A holder whose lease lasts for an hour, unless a test lets it end. */
  newHolder(): Promise<string>
  /** Lets the lease of this holder end in so many milliseconds. */
  endsIn(id: string, ms: number): Promise<unknown>
  /** Lets the lease of every holder last for an hour, so that a test takes as long as it likes. */
  lengthen(): Promise<unknown>
  /** When the lease of this holder ends, in Unix milliseconds of the database's clock. */
  untilOf(id: string): Promise<number>
  /** A renewal that has locked the row of a lease that has ended, and makes it last for an hour once it is committed. */
  renewing(id: string): Promise<{ someoneWaits(): Promise<void>; commit(): Promise<void> }>
  /** Unix milliseconds of the database's clock. */
  time(): Promise<number>
}

/** Started for one test file; nobody holds a lease at the start of a test. */
export function holdersScene(): HoldersScene {
  let database: Database
  let admin: postgres.Sql
  beforeAll(async () => {
    const { urls, adminUrl } = await shareTestDatabase()
    database = openPool(urls.auth_tokens, 8)
    admin = postgres(adminUrl, { max: 4, onnotice: () => {} })
  })
  afterAll(async () => {
    await database?.close()
    await admin?.end({ timeout: 1 })
  })
  beforeEach(() => admin`delete from auth_tokens.lease_holders`)

  const renew = async (id: string) => {
    const [renewed] = await renewLeases(database.sql, [{ id, grant_id: randomUUID() }])
    return renewed as RenewedLease
  }
  const endsIn = (id: string, ms: number) => admin`
    update auth_tokens.lease_holders set until = clock_timestamp() + make_interval(secs => ${ms / 1000})
    where id = ${id}`
  return {
    get database() {
      return database
    },
    get admin() {
      return admin
    },
    renew,
    async newHolder() {
      const { id } = await renew(randomUUID())
      await endsIn(id, 3_600_000)
      return id
    },
    endsIn,
    lengthen: () => admin`update auth_tokens.lease_holders set until = clock_timestamp() + interval '1 hour'`,
    async untilOf(id) {
      const [row] = await admin`
        select (extract(epoch from until) * 1000)::float8 as until from auth_tokens.lease_holders where id = ${id}`
      return row?.until as number
    },
    async renewing(id) {
      // The row then says that nobody has to be asked.
      await endsIn(id, -waitMarginMs)
      let commit!: () => Promise<unknown>
      const { someoneWaits, release } = await holdTransaction(admin, tx => {
        commit = () => tx`commit`
        return tx`
          update auth_tokens.lease_holders set until = clock_timestamp() + interval '1 hour' where id = ${id}`
      })
      return {
        someoneWaits,
        async commit() {
          await commit()
          await release()
        },
      }
    },
    async time() {
      const [row] = await admin`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
      return row?.ms as number
    },
  }
}
