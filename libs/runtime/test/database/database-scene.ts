/** A database on the run's server for each file, with ways to use and observe it. */
import { ApiError } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { unhurried } from '@svc/testing/size'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { type Database, type DatabaseConfig, openDatabase } from '../../src/database.ts'
import type { TcpProxy } from './tcp-proxy.ts'
import { expectNothingUncaught } from '../uncaught.ts'

/** The administrator's view. */
export let admin: postgres.Sql
/** The URL of the role `compute`, without a proxy. */
export let direct: string

/** A database with the table `marks`, empty for each test. */
export function databaseScene() {
  expectNothingUncaught()
  let server: TestDatabase
  beforeAll(async () => {
    server = await createEmptyDatabase()
    direct = server.urls.compute
    admin = postgres(server.adminUrl, { max: 2, onnotice: () => {} })
    await admin`create table compute.marks (n bigint primary key, word text)`
    await admin`grant all on compute.marks to compute`
  })
  afterAll(async () => {
    await admin.end({ timeout: 1 })
    await server.drop()
  })
  beforeEach(async () => void (await admin`truncate compute.marks`))
}

export function open(settings: Partial<DatabaseConfig> = {}, name = 'svc-test'): Database {
  const database = openDatabase(
    { DATABASE_URL: direct, DATABASE_POOL_SIZE: 1, DATABASE_QUEUE_LIMIT: 100, ...settings },
    name,
  )
  onTestFinished(() => database.close())
  return database
}

export const inMs = (ms: number) => Date.now() + ms
export const one = async (database: Database, deadline = unhurried()) =>
  (await database.within(deadline)<{ n: number }>`select 1::int as n`)[0]?.n
export const mark = (database: Database, n: number, deadline = unhurried()) =>
  database.within(deadline)`insert into marks (n) values (${n})`
export const marked = async () =>
  (await admin`select n from compute.marks order by n`).map(({ n }) => Number(n))

export async function outcome(asked: Promise<unknown>) {
  const error = await asked.then(
    () => undefined,
    reason => reason,
  )
  return {
    tag: error === undefined ? 'done' : error instanceof ApiError ? error.tag : `${error}`,
    error,
    at: Date.now(),
  }
}

export const backends = (name = 'svc-test') =>
  admin`select pid, state, query from pg_stat_activity where application_name = ${name} and datname = current_database()`
/** Resolves once both ends of every connection have seen it end. */
export function disconnected(proxy: TcpProxy) {
  let looks = 0
  return waitUntil('the end of the connection', () => proxy.connected === 0 && ++looks > 1)
}
/** Until `release` no mark is written. */
export async function lockMarks() {
  const tx = await admin.reserve()
  await tx`begin`
  await tx`lock table compute.marks in exclusive mode`
  return {
    async release() {
      await tx`rollback`
      tx.release()
    },
    /** Resolves once that many statements wait for it. */
    waiting: (count: number) =>
      waitUntil('statements wait', async () => {
        const waiting = await admin`
          select from pg_locks where relation = 'compute.marks'::regclass and not granted`
        return waiting.length === count
      }),
  }
}

export const terminate = (name = 'svc-test') =>
  admin`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = ${name} and datname = current_database()`
