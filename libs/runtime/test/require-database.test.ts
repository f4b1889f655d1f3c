// A service does not start on a database that is not as it has to be, and says in one sentence what to do.
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ofServer, refuse, requireDatabase } from '../src/migrate/require-database.ts'

let database: TestDatabase
let admin: postgres.Sql
beforeAll(async () => {
  database = await createTestDatabase()
  admin = postgres(database.adminUrl, { max: 1 })
})
afterAll(async () => {
  await admin.end({ timeout: 1 })
  await database.drop()
})

const required = async (connection: Record<string, string> = {}, schema = 'offers') => {
  const sql = postgres(database.urls.offers, { max: 1, fetch_types: false, connection })
  try {
    await requireDatabase(sql, schema)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

test('a database that was provisioned is as it has to be', async () => {
  await required()
})

test.each<[string, Record<string, string>, string | undefined, RegExp]>([
  [
    'a connection that only reads',
    { default_transaction_read_only: 'on' },
    'offers',
    /^PostgreSQL is read-only here/,
  ],
  ['a schema that is not there', {}, 'elsewhere', /^There is no schema "elsewhere" here, and it is needed: /],
  [
    'a schema of another role',
    {},
    'compute',
    /^The role "offers" may not create tables in the schema "compute", and has to: /,
  ],
  [
    'another search path',
    { search_path: 'public' },
    'offers',
    /^The first schema in the search_path of the role "offers" is none, and has to be "offers": /,
  ],
])('%s is refused', async (_what, connection, schema, sentence) => {
  await expect(required(connection, schema)).rejects.toThrow(sentence)
})

test('PostgreSQL before 14 is refused, and later releases are not', () => {
  const on = (number: number, version: string) => () =>
    refuse(ofServer, { number, version, read_only: false })
  expect(on(130_023, '13.23')).toThrow(/^This is PostgreSQL 13\.23, and releases from 14 on are supported: /)
  expect(on(140_000, '14.0')).not.toThrow()
  expect(on(190_001, '19.1')).not.toThrow()
})
