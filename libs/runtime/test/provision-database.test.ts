import { databaseRoles } from '@svc/contract/manifest'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type DatabaseRole, provisionDatabase } from '../src/migrate/provision-database.ts'

const roles = databaseRoles
const pairs = roles.flatMap(role => roles.map(schema => [role, schema] as const))
const foreign = pairs.filter(([role, schema]) => role !== schema)

let database: TestDatabase
let other: TestDatabase
const as = {} as Record<DatabaseRole, postgres.Sql>
beforeAll(async () => {
  ;[database, other] = await Promise.all([createEmptyDatabase(), createEmptyDatabase()])
  for (const role of roles) {
    as[role] = postgres(database.urls[role], { max: 1, onnotice: () => {} })
    await as[role]`create table things (n int primary key)`
    await as[role]`insert into things values (1)`
    await as[role]`create sequence counter`
    await as[role]`create function secret() returns int language sql as 'select 42'`
    await as[role]`create type mood as enum ('fine')`
  }
})
afterAll(async () => {
  for (const role of roles) await as[role].end({ timeout: 1 })
  await database.drop()
  await other.drop()
})

/** Every way into a schema. */
const ways: [string, (schema: string) => string][] = [
  ['read', s => `select * from ${s}.things`],
  ['count', s => `select count(*) from ${s}.things`],
  ['insert', s => `insert into ${s}.things values (2)`],
  ['update', s => `update ${s}.things set n = 3`],
  ['delete', s => `delete from ${s}.things`],
  ['truncate', s => `truncate ${s}.things`],
  ['lock', s => `lock table ${s}.things`],
  ['alter', s => `alter table ${s}.things add column x int`],
  ['drop', s => `drop table ${s}.things`],
  ['index', s => `create index on ${s}.things (n)`],
  ['create a table', s => `create table ${s}.more (n int)`],
  ['create a function', s => `create function ${s}.more() returns int language sql as 'select 1'`],
  ['refer to', s => `create table mine_${s} (n int references ${s}.things)`],
  ['call', s => `select ${s}.secret()`],
  ['count up', s => `select nextval('${s}.counter')`],
  ['use a type', s => `select 'fine'::${s}.mood`],
  ['copy', s => `copy ${s}.things to stdout`],
  ['grant', s => `grant all on ${s}.things to public`],
  ['grant the schema', s => `grant all on schema ${s} to public`],
  ['rename the schema', s => `alter schema ${s} rename to taken`],
  ['drop the schema', s => `drop schema ${s} cascade`],
  ['become its owner', s => `set role ${s}`],
  ['change its owner', s => `alter role ${s} password 'x'`],
]

describe.each(foreign)('%s in the schema of %s', (role, schema) => {
  test.each(ways)('cannot %s', async (_way, statement) => {
    const refused = as[role].begin(tx => tx.unsafe(statement(schema)))
    await expect(refused).rejects.toMatchObject({ code: '42501' })
  })
})

describe.each(roles)('%s', role => {
  test('reads, writes and creates in its own schema, without naming it', async () => {
    await as[role]`insert into things values (7)`
    expect(await as[role]`select n from things order by n`).toEqual([{ n: 1 }, { n: 7 }])
    await as[role]`delete from things where n = 7`
    expect(await as[role]`select current_schema() as schema`).toEqual([{ schema: role }])
  })

  test.each([
    ['create in public', 'create table public.mine (n int)'],
    ['create a schema', 'create schema another'],
    ['create a database', 'create database another'],
    ['create a role', 'create role another'],
    ['create a temporary table', 'create temporary table heap (n int)'],
    ['create an extension', 'create extension pg_trgm'],
    ['read files', "select pg_read_file('/etc/passwd')"],
    ['read password hashes', 'select * from pg_authid'],
    ['run programs', "copy things from program 'true'"],
    ['set the role of the administrator', 'set role postgres'],
  ])('cannot %s', async (_what, statement) => {
    await expect(as[role].unsafe(statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|0A000|58P01)$/),
    })
  })

  test('is not a superuser, and may not bypass, create or replicate anything', async () => {
    const [rights] = await as[role]`select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
      from pg_roles where rolname = current_user`
    expect(new Set(Object.values(rights ?? {}))).toEqual(new Set([false]))
    expect(
      await as[
        role
      ]`select from pg_auth_members where member = (select oid from pg_roles where rolname = current_user)`,
    ).toHaveLength(0)
  })

  test('with a wrong password is refused', async () => {
    const url = new URL(database.urls[role])
    url.password = 'wrong'
    const sql = postgres(url.href, { max: 1, fetch_types: false })
    await expect(sql`select 1`).rejects.toMatchObject({ code: '28P01' })
    await sql.end({ timeout: 1 })
  })
})

test('provisioning again, or many times at once, changes no data and sets the given passwords', async () => {
  const passwords = inject('postgresPasswords')
  const { pathname } = new URL(database.adminUrl)
  const adminUrl = inject('postgresAdminUrl')
  const again = () => provisionDatabase(adminUrl, passwords, { database: pathname.slice(1) })
  const urls = await Promise.all([again(), again(), again(), again()])
  for (const own of urls) expect(own).toEqual(database.urls)
  expect(await as.offers`select n from things`).toEqual([{ n: 1 }])
  await expect(as.offers.unsafe('select * from compute.things')).rejects.toMatchObject({ code: '42501' })
})
