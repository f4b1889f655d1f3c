/**
 * Behind the real PgBouncer, in both of its modes. In `npm test` there is no pooler: database.test.ts states there what a session without
 * one is.
 */
import { scaled } from '@svc/contract/core/deadline-scale'
import { schemaOf, serviceNames } from '@svc/contract/manifest'
import { waitUntil } from '@svc/local/wait-until'
import { createEmptyDatabase } from '@svc/testing/database'
import { type PgBouncer, type PoolMode, hasPgBouncer, startPgBouncer } from '@svc/testing/pgbouncer'
import { unhurried } from '@svc/testing/size'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { withClient } from '../../src/connection/open-client.ts'
import { migrate } from '../../src/migrate/migrate.ts'
import { provisionDatabase } from '../../src/migrate/provision-database.ts'
import { startTcpProxy } from './tcp-proxy.ts'
import { admin, databaseScene, direct, inMs, mark, marked, one, open, outcome } from './database-scene.ts'

const installed = hasPgBouncer()
if (!installed)
  console.warn('poolers.all.test.ts is skipped: there is no pgbouncer on PATH (apt-get install pgbouncer).')

databaseScene()

async function pooler(mode: PoolMode, poolSize?: number): Promise<PgBouncer> {
  const postgres = decodeURIComponent(new URL(inject('postgresAdminUrl')).password)
  const passwords = { ...inject('postgresPasswords'), postgres }
  const started = await startPgBouncer(direct, passwords, mode, poolSize)
  onTestFinished(() => started.stop())
  return started
}

/** What the pooler's connections to the server are doing, and what they keep. */
const backends = () =>
  admin`select pid, state, query from pg_stat_activity
    where usename = 'compute' and datname = current_database() and backend_type = 'client backend'`

describe.runIf(installed).each(['session', 'transaction'] as const)('in %s mode', mode => {
  test('all writes of a crowd are executed, over fewer connections than there are clients', async () => {
    const { through } = await pooler(mode, mode === 'session' ? 8 : 3)
    const databases = Array.from({ length: 2 }, () =>
      open({ DATABASE_URL: through(direct), DATABASE_POOL_SIZE: 4, DATABASE_QUEUE_LIMIT: 500 }),
    )
    const all = Array.from({ length: 300 }, (_, n) => n)
    await Promise.all(
      databases.flatMap((database, at) => all.filter(n => n % 2 === at).map(n => mark(database, n))),
    )
    expect(await marked()).toEqual(all)
  })

  test('values come and go as without it', async () => {
    const { through } = await pooler(mode)
    const { sql } = open({ DATABASE_URL: through(direct) })
    const hard = ['a', null, '', '"', '\\', '{,}', "é'\n"]
    for (const round of [1, 2]) {
      const [row] =
        await sql`select ${2 ** 40 + round}::bigint as big, ${null}::text as none, ${sql.json({ a: [1] })}::jsonb as json,
        to_json(${hard}::text[]) as texts, to_json(${[1, 2 ** 40]}::bigint[]) as numbers`
      expect(row).toEqual({
        big: 2 ** 40 + round,
        none: null,
        json: { a: [1] },
        texts: hard,
        numbers: [1, 2 ** 40],
      })
    }
  })

  test('each statement has the timeout of its call, an index where there is one, and leaves nothing to who comes next', async () => {
    const { through } = await pooler(mode, 1)
    const database = open({ DATABASE_URL: through(direct) })
    await admin`insert into compute.marks values (1)`
    const believed = async (deadline: number) => {
      const settings = await database.within(deadline)<{ name: string; setting: string }>`
        select name, setting from pg_settings where name in ('statement_timeout', 'enable_seqscan', 'plan_cache_mode', 'search_path')`
      return Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))
    }
    const usual = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan', search_path: 'compute' }
    expect(await believed(inMs(scaled(900)))).toEqual({ ...usual, statement_timeout: `${scaled(500)}` })
    expect(await believed(unhurried())).toEqual({ ...usual, statement_timeout: `${scaled(4000)}` })
    const plan = await database.within(unhurried())<{
      'QUERY PLAN': string
    }>`explain select from marks where n = 1`
    expect(JSON.stringify(plan)).toContain('Index')
    await database.close()
    await withClient(through(direct), async sql => {
      const [left] =
        await sql`select current_setting('statement_timeout') as timeout, current_setting('enable_seqscan') as seqscan,
        (select count(*)::int from pg_prepared_statements) as prepared`
      expect(left).toEqual({ timeout: '0', seqscan: 'on', prepared: 0 })
    })
  })

  test('a statement ends at the deadline of its call, also on the server', async () => {
    const { through } = await pooler(mode)
    const database = open({ DATABASE_URL: through(direct) })
    const { tag } = await outcome(database.within(inMs(scaled(500)))`select pg_sleep(3600)`)
    expect(tag).toBe('Timeout')
    await waitUntil('its end on the server', async () =>
      (await backends()).every(({ state }) => state === 'idle'),
    )
    expect(await one(database)).toBe(1)
  })

  test('a write whose deadline passes while it waits for one of the pooler’s connections is answered 503, and never executed', async () => {
    const { through } = await pooler(mode, 1)
    const database = open({ DATABASE_URL: through(direct), DATABASE_POOL_SIZE: 2 })
    // In session mode it would keep the connection.
    if (mode === 'transaction') await one(database)
    await withClient(through(direct), sql =>
      sql.begin(async tx => {
        await tx`select 1`
        const asked = await Promise.all([1, 2].map(n => outcome(mark(database, n, inMs(scaled(300))))))
        expect(asked.map(({ tag }) => tag)).toEqual(['Unavailable', 'Unavailable'])
      }),
    )
    await mark(database, 3)
    expect(await marked()).toEqual([3])
  })

  test('what PostgreSQL refuses is passed on with its SQLSTATE, nothing of it stays, and the connection goes on', async () => {
    const { through } = await pooler(mode, 1)
    const database = open({ DATABASE_URL: through(direct) })
    await mark(database, 1)
    for (let n = 0; n < 3; n++)
      await expect(mark(database, 1)).rejects.toMatchObject({ code: '23505', name: 'PostgresError' })
    await mark(database, 2)
    expect(await marked()).toEqual([1, 2])
  })

  test('a restart of the pooler and ended servers cost 503 and 504 alone, and nothing that was acknowledged', async () => {
    const bouncer = await pooler(mode, 8)
    const database = open({ DATABASE_URL: bouncer.through(direct), DATABASE_POOL_SIZE: 4 })
    const acknowledged: number[] = []
    const tags = new Set<string>()
    let next = 0
    let ended = false
    const writers = Array.from({ length: 10 }, async () => {
      while (!ended) {
        const n = next++
        const { tag } = await outcome(mark(database, n))
        tags.add(tag)
        if (tag === 'done') acknowledged.push(n)
      }
    })
    for (let round = 0; round < 10; round++) {
      const before = acknowledged.length
      await waitUntil('more is written', () => acknowledged.length > before + 20)
      if (round % 2 === 0) await bouncer.restart()
      else
        await admin`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'compute' and datname = current_database()`
    }
    ended = true
    await Promise.all(writers)
    expect([...tags].filter(tag => !['done', 'Timeout', 'Unavailable'].includes(tag))).toEqual([])
    const present = new Set(await marked())
    expect(acknowledged.filter(n => !present.has(n))).toEqual([])
  })

  test.each(
    (['FIN', 'RST'] as const).flatMap(how =>
      Array.from({ length: 14 }, (_, chunks) => [how, chunks] as const),
    ),
  )(
    'cut by %s after %i chunks: a documented refusal, what was acknowledged is there, and it goes on',
    async (how, chunks) => {
      const { through } = await pooler(mode)
      const proxy = await startTcpProxy(through(direct))
      onTestFinished(() => proxy.close())
      const database = open({ DATABASE_URL: proxy.url })
      proxy.cutAfter(chunks, how)
      const acknowledged: number[] = []
      for (let n = 0; n < 3; n++) {
        const { tag } = await outcome(mark(database, n))
        expect(['done', 'Timeout', 'Unavailable']).toContain(tag)
        if (tag === 'done') acknowledged.push(n)
      }
      proxy.cutAfter(undefined, how)
      await waitUntil('an answer', async () => (await outcome(one(database))).tag === 'done')
      expect(await marked()).toEqual(expect.arrayContaining(acknowledged))
      await waitUntil('no transaction is left', async () =>
        (await backends()).every(({ state }) => state === 'idle'),
      )
    },
  )

  test('replicas that start at once migrate each schema once, over one connection of the pooler', async () => {
    const bouncer = await pooler(mode, mode === 'session' ? 4 : 1)
    const fresh = await createEmptyDatabase()
    onTestFinished(() => fresh.drop())
    for (const service of serviceNames) {
      const schema = schemaOf(service)
      const shipped = new URL(`../../../../services/${service}/migrations/`, import.meta.url)
      const url = bouncer.through(fresh.urls[schema])
      await Promise.all(Array.from({ length: 4 }, () => migrate(url, schema, shipped)))
    }
    const [applied] = await withClient(
      bouncer.through(fresh.urls.offers),
      sql => sql`select count(*)::int as n from migrations`,
    )
    expect(applied?.n).toBe(1)
  })

  test('roles and schemas are made through it', async () => {
    const { through } = await pooler(mode)
    const name = `test_pooled_${mode}`
    onTestFinished(async () => void (await admin.unsafe(`drop database if exists ${name} with (force)`)))
    const urls = await provisionDatabase(through(inject('postgresAdminUrl')), inject('postgresPasswords'), {
      database: name,
    })
    await withClient(urls.offers, async sql => {
      expect(await sql`select current_schema() as schema`).toEqual([{ schema: 'offers' }])
    })
  })
})

test.runIf(installed)('a pooler in statement mode is refused at the start', async () => {
  const { through } = await pooler('statement')
  const shipped = new URL('../../../../services/offers/migrations/', import.meta.url)
  const fresh = await createEmptyDatabase()
  onTestFinished(() => fresh.drop())
  await expect(migrate(through(fresh.urls.offers), 'offers', shipped)).rejects.toThrow('pool_mode')
})
