// A role that may create databases and roles is enough to provision a database, and what is missing is said before anything is made.
// On other releases of PostgreSQL: tests/product/postgres/administrator.all.test.ts.
import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { provisionDatabase } from '../src/migrate/provision-database.ts'

// Roles belong to the whole server, which others use at the same time.
const label = randomBytes(6).toString('hex')
const admin = `admin_${label}`
const other = `other_${label}`
const service = `service_${label}`
const database = `provisioned_${label}`
const password = 'a-password'

let superuser: postgres.Sql
beforeAll(() => {
  superuser = postgres(inject('postgresAdminUrl'), { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await clear()
  await superuser.end({ timeout: 1 })
})
beforeEach(async () => {
  await clear()
  await superuser.unsafe(
    `create role ${admin} login createdb createrole password '${password}'; create role ${other}`,
  )
})

async function clear() {
  await superuser.unsafe(`drop database if exists ${database} with (force)`)
  for (const role of [service, admin, other]) await superuser.unsafe(`drop role if exists ${role}`)
}

const provision = (passwords: Record<string, string> = { [service]: password }, options: object = {}) =>
  provisionDatabase(
    Object.assign(new URL(inject('postgresAdminUrl')), { username: admin, password }).href,
    // Those of the product were made by the server's superuser.
    passwords as never,
    { database, ...options },
  )

const roleIsThere = async () => (await superuser`select from pg_roles where rolname = ${service}`).length > 0
const databaseIsThere = async () =>
  (await superuser`select from pg_database where datname = ${database}`).length > 0

test('a role that may create databases and roles is enough, any number of times', async () => {
  await provision()
  const urls = Object.values(await provision())
  const sql = postgres(urls[0] ?? '', { max: 1 })
  try {
    await sql`create table things (n int)`
    expect(await sql`select schemaname from pg_tables where tablename = 'things'`).toEqual([
      { schemaname: service },
    ])
    await expect(sql`create table public.things (n int)`).rejects.toMatchObject({ code: '42501' })
  } finally {
    await sql.end({ timeout: 1 })
  }
})

test('the database is made in UTF-8, and its locale is none that has to be installed', async () => {
  await provision()
  expect(
    await superuser`
      select pg_encoding_to_char(encoding) as encoding, datcollate, datctype from pg_database where datname = ${database}`,
  ).toEqual([{ encoding: 'UTF8', datcollate: 'C', datctype: 'C' }])
})

test.each<[string, string, RegExp]>([
  [
    'a role that may not create roles',
    `alter role ${admin} nocreaterole`,
    /may not create roles, and has to: /,
  ],
  [
    'a role that may not create the database, which is not there',
    `alter role ${admin} nocreatedb`,
    /^There is no database "\w+", and the role "\w+" may not create it: /,
  ],
  [
    'a database of another role',
    `create database ${database} owner ${other}`,
    /^The database "\w+" belongs to "other_\w+", and has to belong to "admin_\w+": /,
  ],
  [
    'a database in another encoding',
    `create database ${database} template template0 owner ${admin} encoding LATIN1 lc_collate 'C' lc_ctype 'C' locale_provider libc`,
    /^The database "\w+" has the encoding LATIN1, and needs UTF8: /,
  ],
  [
    'a role that another one has created',
    `create role ${service}`,
    /^The role "service_\w+" is there, and "admin_\w+", which did not create it, has to be able to change it: /,
  ],
  [
    'a connection that only reads',
    `alter role ${admin} set default_transaction_read_only = on`,
    /^PostgreSQL is read-only here, and has to be written to: /,
  ],
])('%s is refused in one sentence, before anything is made', async (_what, statement, sentence) => {
  await superuser.unsafe(statement)
  const before = [await roleIsThere(), await databaseIsThere()]
  await expect(provision()).rejects.toThrow(sentence)
  expect([await roleIsThere(), await databaseIsThere()]).toEqual(before)
})

test.each([
  ['backup', { backupPassword: password }, 'pg_read_all_data'],
  ['monitor', { monitorPassword: password }, 'pg_monitor'],
])(
  'a role that may not give %s its rights is refused before anything is made',
  async (_role, options, right) => {
    await expect(provision({ [service]: password }, options)).rejects.toThrow(
      `The role "${admin}" may not grant "${right}"`,
    )
    expect([await roleIsThere(), await databaseIsThere()]).toEqual([false, false])
  },
)
