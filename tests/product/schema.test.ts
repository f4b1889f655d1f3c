// The services' schemas match their schema.sql, and can be applied while they are in use.
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import { readFunctions } from '@svc/runtime/migrate/migrate-functions'
import type { DatabaseRole } from '@svc/runtime/migrate/provision-database'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@svc/testing/database'
import { schemaText } from '@svc/testing/statements/schema-text'
import { schemaFolders } from '@svc/testing/statements/write-schema'

const mend = 'run "npm run schema" and commit what it writes'
const sharedFolder = join(repoRoot, 'libs/runtime/functions')
const withoutComments = (text: string) => text.replace(/--.*$/gm, '').trim()
const sqlFiles = async (folder: string) =>
  existsSync(folder) ? (await readdir(folder)).filter(name => name.endsWith('.sql')) : []

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const roles = Object.keys(schemaFolders) as DatabaseRole[]

describe.each(roles)('%s', role => {
  const folder = schemaFolders[role]
  const migrations = join(folder, 'migrations')

  test('schema.sql is the result of the migrations', async () => {
    const sql = postgres(database.urls[role], { max: 1, onnotice: () => {} })
    try {
      const text = await schemaText(sql, role)
      expect(await readFile(join(folder, 'schema.sql'), 'utf8'), mend).toBe(text)
    } finally {
      await sql.end({ timeout: 1 })
    }
  })

  test('a changed text of functions has a new revision', async () => {
    const sources = await readFunctions(migrations)
    expect(sources?.sha256, mend).toBe(sources?.manifest.sha256)
  })

  test.runIf(existsSync(join(migrations, 'triggers.sql')))(
    'triggers are replaced, never dropped',
    async () => {
      const text = withoutComments(await readFile(join(migrations, 'triggers.sql'), 'utf8'))
      for (const statement of text.split(';').filter(Boolean)) {
        expect(statement.trim()).toMatch(/^create or replace trigger /)
      }
    },
  )

  test("no function is both a service's own and shared", async () => {
    const sources = await readFunctions(migrations)
    const own = await sqlFiles(join(migrations, 'functions'))
    expect(own.filter(name => sources?.manifest.shared.includes(name.replace('.sql', '')))).toEqual([])
  })
})

test.each(roles)('each text of %s is ordered by its bytes, in indexes as well', async role => {
  const sql = postgres(database.urls[role], { max: 1, onnotice: () => {} })
  try {
    const others = await sql`
      select c.relname, a.attname, a.attcollation::regcollation::text as collation
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = ${role}::regnamespace and not a.attisdropped
        and a.attcollation not in (0, 'pg_catalog."C"'::regcollation)`
    expect(others).toEqual([])
    // In an ordinary database, tests of what depends on order and case would pass without the collations.
    const [row] = await sql`
      select string_agg(x, ' ' order by x) as ordered, 'z' < '0' as is_less, lower('I') as lowered
      from unnest(array['a', 'b', 'B', '1']) x`
    expect(row).toEqual({ ordered: 'a b B 1', is_less: true, lowered: 'ı' })
  } finally {
    await sql.end({ timeout: 1 })
  }
})

describe.each([
  ...Object.values(schemaFolders).map(folder => join(folder, 'migrations/functions')),
  sharedFolder,
])('in %s', folder => {
  test('each file contains the function of its name, which is replaced and never dropped', async () => {
    for (const name of await sqlFiles(folder)) {
      const text = withoutComments(await readFile(join(folder, name), 'utf8'))
      const heads = [...text.matchAll(/^(?:create|drop|alter)\b.*?(?=\(|$)/gim)].map(([head]) => head)
      expect(new Set(heads)).toEqual(new Set([`create or replace function ${name.replace('.sql', '')}`]))
    }
  })
})

test('each shared function is used by a service', async () => {
  const used = await Promise.all(roles.map(role => readFunctions(join(schemaFolders[role], 'migrations'))))
  const names = new Set(used.flatMap(sources => sources?.manifest.shared ?? []))
  expect([...names].map(name => `${name}.sql`).sort()).toEqual((await sqlFiles(sharedFolder)).sort())
})

test('the states in which an order is in progress are listed in one place', async () => {
  const files = [
    join(schemaFolders.offers, 'migrations/0001_init.sql'),
    ...(await sqlFiles(join(schemaFolders.offers, 'migrations/functions'))).map(name =>
      join(schemaFolders.offers, 'migrations/functions', name),
    ),
    ...(await readdir(join(schemaFolders.offers, 'src'), { recursive: true }))
      .filter(name => name.endsWith('.ts'))
      .map(name => join(schemaFolders.offers, 'src', name)),
  ]
  const found: string[] = []
  for (const file of files) {
    const lists = (await readFile(file, 'utf8')).matchAll(
      /'open', 'awaiting_approval', 'awaiting_checkout'\)/g,
    )
    found.push(...[...lists].map(() => file))
  }
  expect(found).toEqual([files[0]])
})

test('indexes of orders in progress use the function that names the states', async () => {
  const sql = postgres(database.urls.offers, { max: 1, onnotice: () => {} })
  try {
    await sql`set enable_seqscan = off`
    // Which of them is cheapest depends on what the table holds.
    for (const condition of [
      'expires_at <= 5',
      "offer_id || ' ' || holder = 'a b'",
      "customer_workspace_id = 'a'",
    ]) {
      const [plan] = await sql.unsafe(`explain select from orders where is_under_way(state) and ${condition}`)
      expect(plan?.['QUERY PLAN']).toMatch(/ orders_(holding|seats|one_for_each|under_way|cluster) /)
    }
  } finally {
    await sql.end({ timeout: 1 })
  }
})

/** Columns that refer to a row without its workspace: what is written only together with that row, or only compared. */
const unscoped: Partial<Record<DatabaseRole, string[]>> = {
  offers: ['idempotency_keys.package_version_id', 'installs.order_id'],
  auth_tokens: ['device_grants.session_id'],
}

test.each(roles)('a row of %s cannot refer to a row of another workspace', async role => {
  const sql = postgres(database.urls[role], { max: 1, onnotice: () => {} })
  try {
    const found = await sql`
      with scoped as (
        select t.oid, t.relname, w.attnum from pg_class t
        join pg_attribute w on w.attrelid = t.oid and w.attname = 'workspace_id'
        where t.relnamespace = ${role}::regnamespace and t.relkind in ('r', 'p')
      ), keys as (
        select k.conrelid, k.conkey, t.oid is null or w.attnum = any(k.conkey) as within
        from pg_constraint k join scoped w on w.oid = k.conrelid left join scoped t on t.oid = k.confrelid
        where k.contype = 'f'
      )
      select distinct f.relname || '.' || c.attname as name
      from scoped f join pg_attribute c on c.attrelid = f.oid and c.attname <> 'workspace_id'
      left join scoped t on t.relname || '_id' = replace(c.attname || '', '_id', 's_id')
      left join keys k on k.conrelid = f.oid and c.attnum = any(k.conkey)
      where (t.oid is not null and k.conkey is null) or not k.within
      order by 1`
    expect(found.map(({ name }) => name)).toEqual(unscoped[role] ?? [])
  } finally {
    await sql.end({ timeout: 1 })
  }
})
