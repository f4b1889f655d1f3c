// In `npm test`: migrate.test.ts.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase, type TestDatabase } from '@svc/testing/database'
import postgres from 'postgres'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../src/migrate/migrate.ts'

const tables = `-- compatible_from: 0.1.0
create table entries (id bigint generated always as identity primary key, word text not null, said text);
create table words (word text primary key, times bigint not null);
`
const greet = (word: string) => `
create or replace function greet(name text) returns text language sql stable set search_path from current as $$
  select loudly('${word} ' || name)
$$;`
const loudly = (end = '!') => `
create or replace function loudly(text text) returns text language plpgsql immutable as $$
begin
  return text || '${end}';
end $$;`
const count = (comment = '') => `
create or replace function count_words() returns trigger language plpgsql set search_path from current as $$
begin
  -- ${comment}
  insert into words as w (word, times) values (new.word, 1) on conflict (word) do update set times = w.times + 1;
  return null;
end $$;`
const trigger = (comment = '') => `
-- ${comment}
create or replace trigger count_words after insert on entries for each row execute function count_words();`

interface Release {
  revision: number
  word?: string
  functions?: Record<string, string>
  triggers?: string
  shared?: string[]
}

const replicas = 8
let database: TestDatabase
let sql: postgres.Sql
let root: string
beforeAll(async () => {
  database = await createEmptyDatabase()
  sql = postgres(database.urls.offers, { max: 8, onnotice: () => {} })
  root = await mkdtemp(join(tmpdir(), 'svc-functions-'))
})
afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await database?.drop()
  await rm(root, { recursive: true, force: true })
})
beforeEach(async () => {
  const admin = postgres(database.adminUrl, { max: 1, onnotice: () => {} })
  await admin`drop schema offers cascade`
  await admin`create schema offers authorization offers`
  await admin.end()
})

let made = 0
/** A release's folder of migrations. */
async function release({ revision, word = 'hello', functions, triggers = trigger(), shared = [] }: Release) {
  const folder = join(root, String(++made))
  await mkdir(join(folder, 'functions'), { recursive: true })
  await writeFile(join(folder, '0001_init.sql'), tables)
  await writeFile(join(folder, 'triggers.sql'), triggers)
  const texts = { greet: greet(word), loudly: loudly(), count_words: count(), ...functions }
  for (const [name, text] of Object.entries(texts))
    await writeFile(join(folder, `functions/${name}.sql`), text)
  const manifest = { revision, sha256: '', shared }
  await writeFile(join(folder, 'functions/manifest.json'), JSON.stringify(manifest))
  return () => migrate(database.urls.offers, 'offers', pathToFileURL(folder))
}
const said = async () => (await sql`select greet('you') as said`)[0]?.said
/** Changes with every replacement, whatever its text. */
const versions = async () =>
  Object.fromEntries(
    (
      await sql`
        select proname as name, xmin::text from pg_proc where pronamespace = 'offers'::regnamespace
        union all
        select tgname || ' trigger', t.xmin::text from pg_trigger t
        join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'offers'::regnamespace and not tgisinternal`
    ).map(({ name, xmin }) => [name, xmin]),
  )

describe('replicas that start at once', () => {
  test('on an empty schema all succeed, whatever order functions call each other in', async () => {
    const start = await release({ revision: 1, shared: ['unix_seconds'] })
    await Promise.all(Array.from({ length: replicas }, start))
    expect(await said()).toBe('hello you!')
    expect((await sql`select unix_seconds('1970-01-01 00:01:00.9Z') as at`)[0]?.at).toBe('60')
    await sql`insert into entries (word) values ('a'), ('a')`
    expect(await sql`select word, times::int from words`).toEqual([{ word: 'a', times: 2 }])
  })

  test('on an older schema all succeed, and install the later text', async () => {
    await (await release({ revision: 1 }))()
    const start = await release({ revision: 2, word: 'welcome' })
    await Promise.all(Array.from({ length: replicas }, start))
    expect(await said()).toBe('welcome you!')
  })

  test('the later of two releases wins, whichever is first', async () => {
    await (await release({ revision: 1 }))()
    const before = await release({ revision: 2, word: 'before' })
    const later = await release({ revision: 3, word: 'later' })
    await Promise.all([before(), later(), before(), later(), before()])
    expect(await said()).toBe('later you!')
  })
})

test('what is already there is not touched', async () => {
  const start = await release({ revision: 1 })
  await start()
  const first = await versions()
  await start()
  expect(await versions()).toEqual(first)
})

test('triggers are replaced only if their own text changed, since that locks tables', async () => {
  await (await release({ revision: 1 }))()
  const first = await versions()
  await (await release({ revision: 2, functions: { loudly: loudly('!!') } }))()
  const second = await versions()
  expect(second['count_words trigger']).toBe(first['count_words trigger'])
  expect(second.loudly).not.toBe(first.loudly)
  await (await release({ revision: 3, functions: { loudly: loudly('!!') }, triggers: trigger('new') }))()
  expect((await versions())['count_words trigger']).not.toBe(first['count_words trigger'])
})

test('a replica of the previous release that starts later does not restore old functions', async () => {
  const before = await release({ revision: 4 })
  await before()
  await (await release({ revision: 5, word: 'welcome' }))()
  await before()
  expect(await said()).toBe('welcome you!')
})

test('a text that changed without a new revision, as during development, is applied', async () => {
  await (await release({ revision: 1 }))()
  await (await release({ revision: 1, word: 'welcome' }))()
  expect(await said()).toBe('welcome you!')
})

test.each([
  ['does not parse', { greet: greet('welcome').replace('select', 'selekt') }],
  ['does not parse in its body', { loudly: loudly().replace('return text', 'retrun text') }],
  ['calls what is not there', { greet: greet('welcome').replace('loudly', 'softly') }],
  ['has another signature', { loudly: loudly().replace('(text text)', '(words text)') }],
])(
  'with a function that %s all replicas fail, and none of the texts is applied',
  async (_what, functions) => {
    await (await release({ revision: 1 }))()
    const first = await versions()
    const start = await release({
      revision: 2,
      word: 'welcome',
      functions: { count_words: count('2'), ...functions },
    })
    const results = await Promise.allSettled([start(), start()])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await versions()).toEqual(first)
    expect(await said()).toBe('hello you!')
    await (await release({ revision: 2, word: 'mended' }))()
    expect(await said()).toBe('mended you!')
  },
)

describe('while the previous release is running', () => {
  let stop: (() => Promise<void>)[] = []
  afterEach(async () => {
    await Promise.all(stop.map(end => end()))
    stop = []
  })

  /** Repeats `work` on its own connection. Returns how often it was done, and its failures. */
  function atWork(work: (own: postgres.Sql) => Promise<unknown>) {
    const own = postgres(database.urls.offers, { max: 1, onnotice: () => {} })
    const seen = { done: 0, failures: [] as unknown[] }
    let going = true
    const loop = (async () => {
      while (going) {
        await work(own).catch(error => seen.failures.push(error))
        seen.done++
      }
    })()
    const end = async () => {
      going = false
      await loop
      await own.end({ timeout: 1 })
    }
    stop.push(end)
    return { seen, end }
  }

  test('callers and writers go on while functions and triggers are replaced', async () => {
    await (await release({ revision: 1 }))()
    const callers = Array.from({ length: 3 }, () =>
      atWork(async own => {
        const [row] = await own`select greet('you') as said`
        if (!/^hello\d* you!$/.test(row?.said)) throw new Error(`It said ${row?.said}.`)
      }),
    )
    const writers = Array.from({ length: 3 }, (_, n) =>
      atWork(own => own`insert into entries (word, said) values (${`word ${n}`}, greet('you'))`),
    )
    // Several statements in one transaction, over the other table first.
    const crossing = atWork(own =>
      own.begin(async tx => {
        await tx`update words set times = times where word = 'word 0'`
        await tx`insert into entries (word, said) select 'crossing', greet('you')`
      }),
    )
    const all = [...callers, ...writers, crossing]
    const times = 60
    for (let revision = 2; revision < 2 + times; revision++) {
      const text = { revision, word: `hello${revision}`, functions: { count_words: count(`${revision}`) } }
      const before = all.map(({ seen }) => seen.done)
      await (await release({ ...text, triggers: trigger(`${revision}`) }))()
      await waitUntil('each goes on', () => all.every(({ seen }, at) => seen.done > (before[at] ?? 0)))
    }
    await Promise.all(all.map(({ end }) => end()))
    expect(all.flatMap(({ seen }) => seen.failures)).toEqual([])
    expect(await said()).toBe(`hello${1 + times} you!`)
    // No trigger was missing at any moment.
    const [counted] =
      await sql`select (select count(*) from entries) = (select sum(times) from words) as same`
    expect(counted?.same).toBe(true)
  })

  test('long writers are waited for, and others write between the attempts to lock the table', async () => {
    await (await release({ revision: 1 }))()
    const long = postgres(database.urls.offers, { max: 1, onnotice: () => {} })
    stop.push(() => long.end({ timeout: 1 }))
    let migrating: Promise<void> | undefined
    const writer = atWork(own => own`insert into entries (word) values ('meanwhile')`)
    await long.begin(async tx => {
      await tx`insert into entries (word) values ('long')`
      migrating = (await release({ revision: 2, word: 'welcome', triggers: trigger('2') }))()
      for (let attempts = 0; attempts < 2; attempts++) {
        await waitUntil('the migration waits', async () => {
          const [lock] = await sql`select from pg_locks where relation = 'offers.entries'::regclass
            and mode = 'ShareRowExclusiveLock' and not granted`
          return lock !== undefined
        })
        const { done } = writer.seen
        await waitUntil('another has written', () => writer.seen.done > done + 1)
      }
      // All or nothing.
      expect(await said()).toBe('hello you!')
    })
    await migrating
    await writer.end()
    expect(writer.seen.failures).toEqual([])
    expect(await said()).toBe('welcome you!')
  })
})

test('a shipped service replaces another text by its own', async () => {
  const shipped = new URL('../../../services/offers/migrations', import.meta.url)
  const folder = join(root, 'shipped')
  await cp(shipped, folder, { recursive: true })
  await writeFile(
    join(folder, 'functions/order_event.sql'),
    `
    create or replace function order_event(seller text, customer text, offer text) returns jsonb
    language sql immutable as $$ select '{}'::jsonb $$;`,
  )
  const manifest = join(folder, 'functions/manifest.json')
  const { shared } = JSON.parse(await readFile(manifest, 'utf8'))
  await writeFile(manifest, JSON.stringify({ revision: 0, sha256: '', shared }))
  await migrate(database.urls.offers, 'offers', pathToFileURL(folder))
  expect((await sql`select order_event('a', 'b', 'c') as data`)[0]?.data).toEqual({})
  await migrate(database.urls.offers, 'offers', shipped)
  expect((await sql`select order_event('a', 'b', 'c') as data`)[0]?.data).toMatchObject({ offer_id: 'c' })
})
