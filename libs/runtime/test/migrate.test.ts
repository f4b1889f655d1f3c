import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { sized } from '@svc/testing/size'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../src/migrate/migrate.ts'

const first = `-- Up Migration
create table first (n int);
insert into first values (1);

-- Down Migration
drop table first;
`
const second = `-- Up Migration
alter table first add column word text;
create table second (n int);

-- Down Migration
drop table second;
`
const broken = `-- Up Migration
create table third (n int);
insert into first values (3);
select no_such_function();

-- Down Migration
drop table third;
`

const replicas = sized(3, 8)
let database: TestDatabase
let sql: postgres.Sql
let folder: string
beforeAll(async () => {
  database = await createEmptyDatabase()
  sql = postgres(database.urls.offers, { max: 1, onnotice: () => {} })
})
afterAll(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})
beforeEach(async () => {
  for (const table of ['migrations', 'first', 'second', 'third']) {
    await sql`drop table if exists ${sql(table)}`
  }
  folder = await mkdtemp(join(tmpdir(), 'svc-migrations-'))
  return () => rm(folder, { recursive: true })
})

const release = async (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
}
const start = () => migrate(database.urls.offers, 'offers', pathToFileURL(folder))
const applied = async () => (await sql`select name from migrations order by id`).map(({ name }) => name)
const tables = async () =>
  (await sql`select tablename from pg_tables where schemaname = 'offers' order by 1`).map(
    ({ tablename }) => tablename,
  )

describe('replicas that start at once', () => {
  test('on an empty schema all succeed, and each migration is applied once', async () => {
    await release({ '0001_first.sql': first, '0002_second.sql': second })
    await Promise.all(Array.from({ length: replicas }, start))
    expect(await applied()).toEqual(['0001_first', '0002_second'])
    expect(await sql`select * from first`).toEqual([{ n: 1, word: null }])
  })

  test('on an older schema all succeed, and only what is new is applied', async () => {
    await release({ '0001_first.sql': first })
    await start()
    await release({ '0002_second.sql': second })
    await Promise.all(Array.from({ length: replicas }, start))
    expect(await applied()).toEqual(['0001_first', '0002_second'])
    expect(await sql`select * from first`).toEqual([{ n: 1, word: null }])
  })

  test('if a migration fails, all fail, and nothing of it is left', async () => {
    await release({ '0001_first.sql': first, '0002_broken.sql': broken })
    const results = await Promise.allSettled(Array.from({ length: 4 }, start))
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill('rejected'))
    expect(await applied()).toEqual(['0001_first'])
    expect(await tables()).toEqual(['first', 'migrations'])
    expect(await sql`select * from first`).toEqual([{ n: 1 }])
  })
})

test('a failed migration is applied once it is fixed', async () => {
  await release({ '0001_first.sql': first, '0002_third.sql': broken })
  await expect(start()).rejects.toThrow('no_such_function')
  await release({ '0002_third.sql': broken.replace('select no_such_function();', '') })
  await start()
  expect(await applied()).toEqual(['0001_first', '0002_third'])
  expect(await sql`select n from first order by n`).toEqual([{ n: 1 }, { n: 3 }])
})

test('a schema that is up to date is not touched', async () => {
  await release({ '0001_first.sql': first })
  await start()
  await sql`insert into first values (2)`
  await start()
  expect(await sql`select n from first order by n`).toEqual([{ n: 1 }, { n: 2 }])
})

test('a schema of a newer release is refused, naming what is unknown', async () => {
  await release({ '0001_first.sql': first, '0002_second.sql': second })
  await start()
  await rm(join(folder, '0002_second.sql'))
  await expect(start()).rejects.toThrow(/"offers" has migrations .* not know: 0002_second\./)
  await release({ '0003_third.sql': '-- Up Migration\ncreate table third ();\n-- Down Migration\n' })
  await expect(start()).rejects.toThrow('0002_second')
  expect(await tables()).toEqual(['first', 'migrations', 'second'])
})

test('a server that does not answer is an error', async () => {
  await release({ '0001_first.sql': first })
  const url = new URL(database.urls.offers)
  url.port = '1'
  await expect(migrate(url.href, 'offers', pathToFileURL(folder))).rejects.toThrow(/ECONNREFUSED/)
})

test.each(serviceNames)(
  `${replicas} replicas at once apply the shipped migrations of %s to an empty schema`,
  async service => {
    const fresh = await createEmptyDatabase()
    try {
      const schema = schemaOf(service)
      const shipped = new URL(`../../../services/${service}/migrations`, import.meta.url)
      await cp(shipped, folder, { recursive: true })
      const all = Array.from({ length: replicas }, () =>
        migrate(fresh.urls[schema], schema, pathToFileURL(folder)),
      )
      await Promise.all(all)
    } finally {
      await fresh.drop()
    }
  },
)
