import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import { sized } from '@svc/testing/size'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrate } from '../src/migrate/migrate.ts'
import { migrationLock } from '../src/migrate/migration-lock.ts'
import { tableExists } from '../src/migrate/table-exists.ts'

const first = `-- compatible_from: 1.1.0
create table first (n int);
insert into first values (1);

`
const second = `-- compatible_from: 1.1.0
alter table first add column word text;
create table second (n int);

`
const broken = `-- compatible_from: 1.1.0
create table third (n int);
insert into first values (3);
select no_such_function();

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
  for (const table of ['migrations', 'migration_compatibility', 'first', 'second', 'third']) {
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
    expect(await tables()).toEqual(['first', 'migration_compatibility', 'migrations'])
    expect(await sql`select * from first`).toEqual([{ n: 1 }])
  })
})

test('a file that belongs before what is applied is refused, and nothing is applied', async () => {
  await release({
    '0001_first.sql': first,
    '0003_third.sql': '-- compatible_from: 1.1.0\ncreate table third ();',
  })
  await start()
  await release({ '0002_second.sql': second, '0004_fourth.sql': second })
  await expect(start()).rejects.toThrow('has 0003_third, and lacks 0002_second, which belongs before')
  expect(await applied()).toEqual(['0001_first', '0003_third'])
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

describe('on a schema that a later release has migrated', () => {
  /** Release 1.2.0 was here: it has a second migration. */
  async function later(compatible_from: string) {
    await release({ '0001_first.sql': first, '0002_second.sql': second.replace('1.1.0', compatible_from) })
    await start()
    await rm(join(folder, '0002_second.sql'))
  }
  const startAs = (version: string) => migrate(database.urls.offers, 'offers', pathToFileURL(folder), version)

  test('releases start where its migration can work with them, and change nothing', async () => {
    await later('1.1.0')
    await Promise.all(['1.1.0', '1.1.9', '1.9.0', '1.10.0', '1.2.0-rc.1'].map(startAs))
    expect(await applied()).toEqual(['0001_first', '0002_second'])
  })

  test('releases that its migration cannot work with are refused, and told what to start', async () => {
    await later('1.1.0')
    for (const version of ['1.0.9', '1.1.0-rc.1', '0.9.0'])
      await expect(startAs(version)).rejects.toThrow(
        `The schema "offers" has the migration 0002_second, which can only work with releases from 1.1.0 on, and this is ${version}. Start 1.1.0 or a later one`,
      )
  })

  test('the most demanding of several migrations counts', async () => {
    const third = '-- compatible_from: 1.0.0\ncreate table third ();\n'
    await release({
      '0001_first.sql': first,
      '0002_second.sql': second.replace('1.1.0', '1.10.0'),
      '0003_third.sql': third,
    })
    await start()
    for (const name of ['0002_second.sql', '0003_third.sql']) await rm(join(folder, name))
    await expect(startAs('1.9.0')).rejects.toThrow(
      '0002_second, which can only work with releases from 1.10.0',
    )
    await startAs('1.10.0')
  })

  test('it is refused where the migration came without a word', async () => {
    await later('1.1.0')
    await sql`delete from migration_compatibility where name = '0002_second'`
    await expect(startAs('1.1.0')).rejects.toThrow(/does not say .* 0002_second\. Start the release/)
    await sql`drop table migration_compatibility`
    await expect(startAs('1.1.0')).rejects.toThrow(/does not say .* 0002_second\. Start the release/)
  })

  test('a release that has yet to add something before it is refused', async () => {
    await later('1.1.0')
    await release({ '0003_third.sql': '-- compatible_from: 1.1.0\ncreate table third ();\n' })
    await expect(startAs('1.1.0')).rejects.toThrow(/has 0002_second, .* lacks 0003_third/)
    expect(await tables()).toEqual(['first', 'migration_compatibility', 'migrations', 'second'])
  })

  test('it is refused, too, where the other had the lock first', async () => {
    await release({ '0001_first.sql': first })
    let starting: Promise<unknown> | undefined
    await sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${migrationLock}::bigint)`
      starting = startAs('1.1.0').catch(error => error)
      await waitUntil('the release before waits', async () => {
        const asking = await tx`select from pg_stat_activity where datname = current_database()
          and query like '%runtime.try_migration_lock%' and pid <> pg_backend_pid()`
        // Until then it sees its own first look.
        await tx`select pg_stat_clear_snapshot()`
        return asking.length > 0
      })
      await tx`create table migrations (id serial primary key, name varchar(255) not null, run_on timestamp not null)`
      await tx`create table migration_compatibility (name text primary key, compatible_from text not null)`
      for (const name of ['0001_first', '0002_second']) {
        await tx`insert into migrations (name, run_on) values (${name}, now())`
        await tx`insert into migration_compatibility values (${name}, '1.2.0')`
      }
    })
    expect(String(await starting)).toContain('0002_second, which can only work with releases from 1.2.0 on')
  })
})

test('a table that a replica has created meanwhile is seen within the transaction that looked for it before', async () => {
  const other = postgres(database.urls.offers, { max: 1 })
  try {
    await other.begin(async tx => {
      expect(await tableExists(tx, 'offers', 'third')).toBe(false)
      await sql`create table third ()`
      expect(await tableExists(tx, 'offers', 'third')).toBe(true)
    })
  } finally {
    await other.end({ timeout: 1 })
  }
})

test.each([
  ['nothing', 'create table second ();'],
  ['no release', '-- compatible_from: soon\ncreate table second ();'],
  ['it too late', 'create table second ();\n-- compatible_from: 1.1.0\n'],
])('a file whose first line says %s is refused, and none is applied', async (_what, text) => {
  await release({ '0001_first.sql': first, '0002_second.sql': text })
  await expect(start()).rejects.toThrow('0002_second.sql does not say which releases can work with it')
  expect(await tables()).toEqual([])
})

test('without a word, a process is of the release of the root package.json', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../../package.json', import.meta.url), 'utf8'))
  await release({ '0001_first.sql': first, '0002_second.sql': second.replace('1.1.0', '1000.0.0') })
  await start()
  await rm(join(folder, '0002_second.sql'))
  await expect(start()).rejects.toThrow(`and this is ${version}.`)
})

test('a server that does not answer is an error', async () => {
  await release({ '0001_first.sql': first })
  const url = new URL(database.urls.offers)
  url.port = '1'
  await expect(migrate(url.href, 'offers', pathToFileURL(folder))).rejects.toThrow(/ECONNREFUSED/)
})

test('the replicas of all services apply their shipped migrations to empty schemas at once', async () => {
  const fresh = await createEmptyDatabase()
  onTestFinished(fresh.drop)
  const startReplica = (service: (typeof serviceNames)[number]) => {
    const schema = schemaOf(service)
    const shipped = new URL(`../../../services/${service}/migrations/`, import.meta.url)
    return migrate(fresh.urls[schema], schema, shipped)
  }
  await Promise.all([...serviceNames, ...serviceNames].map(startReplica))
})
