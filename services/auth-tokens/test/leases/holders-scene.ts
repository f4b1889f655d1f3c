/** A database of its own with the statements of leases, and an administrator who moves their times. */
import { type Database, openDatabase } from '@svc/runtime/database'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
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
  /** A holder with a lease. */
  newHolder(): Promise<string>
  /** Lets the lease of this holder end in so many milliseconds. */
  endsIn(id: string, ms: number): Promise<unknown>
  /** Unix milliseconds of the database's clock. */
  time(): Promise<number>
}

/** Started for one test file; nobody holds a lease at the start of a test. */
export function holdersScene(): HoldersScene {
  let testDatabase: TestDatabase
  let database: Database
  let admin: postgres.Sql
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    database = openDatabase({
      DATABASE_URL: testDatabase.urls.auth_tokens,
      DATABASE_POOL_SIZE: 8,
      DATABASE_QUEUE_LIMIT: 512,
    })
    admin = postgres(testDatabase.adminUrl, { max: 4, onnotice: () => {} })
  })
  afterAll(async () => {
    await database?.close()
    await admin?.end({ timeout: 1 })
    await testDatabase?.drop()
  })
  beforeEach(() => admin`delete from auth_tokens.lease_holders`)

  const renew = async (id: string) => {
    const [renewed] = await renewLeases(database.sql, [{ id, grant_id: randomUUID() }])
    return renewed as RenewedLease
  }
  return {
    get database() {
      return database
    },
    get admin() {
      return admin
    },
    renew,
    newHolder: async () => (await renew(randomUUID())).id,
    endsIn: (id, ms) => admin`
      update auth_tokens.lease_holders set until = clock_timestamp() + make_interval(secs => ${ms / 1000})
      where id = ${id}`,
    async time() {
      const [row] = await admin`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`
      return row?.ms as number
    },
  }
}
