// The writer of settings by itself: changes that share a statement, each with a result of its own, and two processes at once.
import { openPool } from '@svc/testing/open-pool'
import { bySystem } from '@svc/contract/core/actor'
import { openDatabase } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import { createMetrics } from '@svc/telemetry/metrics'
import { shareTestDatabase } from '@svc/testing/database'
import { parseExposition, seriesKey } from '@svc/testing/deploy/exposition'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { sized, unhurried } from '@svc/testing/size'
import postgres from 'postgres'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  createSettingsWriter,
  type SettingsChange,
  type WriteSettings,
} from '../src/settings/write-settings.ts'

const time = 1_800_000_000
const workspace = newId('ws')

/** The administrator's view. */
let sql: postgres.Sql
let url: string
let write: WriteSettings
const metrics = createMetrics()

beforeAll(async () => {
  const { urls, adminUrl } = await shareTestDatabase()
  url = urls.compute
  sql = postgres(adminUrl, { max: 4, onnotice: () => {} })
  const database = openDatabase(
    {
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: 8,
      DATABASE_QUEUE_LIMIT: 1000,
    },
    'compute',
    metrics,
  )
  write = createSettingsWriter(database, () => time * 1000 + 999)
  return async () => {
    await database.close()
    await sql.end({ timeout: 1 })
  }
})

const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))

/** Clusters with the etag `first`, ten machines at most, and scaling on. */
async function newClusters(count: number): Promise<string[]> {
  const ids = times(count, () => newId('clus'))
  await sql`
    insert into compute.clusters (id, workspace_id, name, etag, previous_etag, updated_at)
    select id, ${workspace}, 'test', 'first', 'zeroth', to_timestamp(1) from unnest(${ids}::text[]) id`
  return ids
}

const newCluster = async () => (await newClusters(1))[0] as string

const change = (id: string, wanted: Partial<SettingsChange> = {}): SettingsChange => ({
  workspace,
  id,
  if_match: 'first',
  auto_scaling_enabled: null,
  by: bySystem('test'),
  max_machines: null,
  deadline: unhurried(),
  ...wanted,
})

interface Stored {
  id: string
  auto_scaling_enabled: boolean
  max_machines: number
  etag: string
  previous_etag: string
  updated_at: number
  /** The statement that wrote it. */
  xmin: string
}
async function stored(ids: readonly string[]): Promise<Stored[]> {
  const rows = await sql<Stored[]>`
    select id, auto_scaling_enabled, max_machines, etag, previous_etag, xmin::text,
      compute.unix_seconds(updated_at)::int as updated_at
    from compute.clusters where id = any(${[...ids]})`
  return ids.map(id => rows.find(row => row.id === id) as Stored)
}

interface Event {
  aggregate_id: string
  subject: string
  payload: { workspace_id: string; max_machines: number; etag: string; auto_scaling: string }
}
const eventsOf = (ids: readonly string[]) =>
  sql<Event[]>`
    select aggregate_id, subject, payload from compute.outbox where aggregate_id = any(${[...ids]}) order by sequence`

/** The statements that changes have shared, or had for themselves, so far. */
async function batches(): Promise<number> {
  const { series } = parseExposition(await metrics.text()).get('svc_batch_size') ?? {}
  return series?.get(seriesKey('svc_batch_size_count', { batch: 'settings' })) ?? 0
}

const codeOf = (end: PromiseSettledResult<unknown>) =>
  end.status === 'fulfilled' ? 'written' : (end.reason as { code?: string }).code

describe('changes that come together', () => {
  test('are written by one statement, each with its own values, etag, answer and event', async () => {
    const ids = await newClusters(40)
    const changes = ids.map((id, at) =>
      change(id, at % 2 ? { max_machines: 100 + at } : { auto_scaling_enabled: false }),
    )
    const results = await Promise.all(changes.map(write))
    const rows = await stored(ids)
    expect(new Set(rows.map(({ xmin }) => xmin)).size).toBe(1)
    for (const [at, row] of rows.entries()) {
      expect(row).toMatchObject({
        auto_scaling_enabled: at % 2 === 1,
        max_machines: at % 2 ? 100 + at : 10,
        previous_etag: 'first',
        updated_at: time,
      })
      const { auto_scaling_enabled, max_machines, updated_at, etag } = row
      expect(results[at]).toEqual({
        accepted: true,
        machines: 0,
        auto_scaling_enabled,
        max_machines,
        updated_at,
        etag,
      })
    }
    expect(new Set(rows.map(({ etag }) => etag)).size).toBe(40)
    const events = await eventsOf(ids)
    expect(events).toHaveLength(40)
    for (const { aggregate_id, subject, payload } of events) {
      const row = rows[ids.indexOf(aggregate_id)] as Stored
      expect([subject, payload]).toEqual([
        'events.compute_settings.updated',
        {
          workspace_id: workspace,
          max_machines: row.max_machines,
          etag: row.etag,
          auto_scaling: row.auto_scaling_enabled ? 'active' : 'inactive',
        },
      ])
    }
  })

  test('are answered as alone: changed, conflict, nothing to change, retry, unknown, and of another workspace', async () => {
    const ids = await newClusters(7)
    const [changed, conflict, same, retried, outdated, foreign, nothing] = ids as [string, ...string[]]
    const absent = newId('clus')
    const results = await Promise.all(
      [
        change(changed, { max_machines: 5 }),
        change(conflict as string, { max_machines: 5, if_match: 'other' }),
        change(same as string, { max_machines: 10, auto_scaling_enabled: true }),
        change(retried as string, { max_machines: 10, if_match: 'zeroth' }),
        change(outdated as string, { max_machines: 10, if_match: 'other' }),
        change(foreign as string, { max_machines: 5, workspace: newId('ws') }),
        change(nothing as string),
        change(absent, { max_machines: 5 }),
      ].map(write),
    )
    expect(results.map(result => result?.accepted)).toEqual([
      true,
      false,
      true,
      true,
      false,
      undefined,
      true,
      undefined,
    ])
    const rows = await stored(ids)
    expect(rows.map(({ etag }) => etag === 'first')).toEqual([false, true, true, true, true, true, true])
    expect(results.slice(1, 5).map(result => result?.etag)).toEqual(Array(4).fill('first'))
    expect(results[0]).toMatchObject({ etag: rows[0]?.etag, max_machines: 5, updated_at: time })
    expect(results[2]).toMatchObject({ etag: 'first', max_machines: 10, updated_at: 1 })
    expect((await eventsOf(ids)).map(({ aggregate_id }) => aggregate_id)).toEqual([changed])
  })

  test('a cluster changed by its workspace and by another one returns its settings only to its workspace', async () => {
    const id = await newCluster()
    const [foreign, own] = await Promise.all([
      write(change(id, { workspace: newId('ws'), max_machines: 4 })),
      write(change(id, { max_machines: 5 })),
    ])
    expect([foreign, own?.accepted, own?.max_machines]).toEqual([undefined, true, 5])
  })

  test.each([
    ['23514', { max_machines: 0 }],
    ['22003', { max_machines: 2 ** 31 }],
    ['22021', { if_match: '\u0000' }],
  ])('one that PostgreSQL refuses (%s) fails alone: all others are written once', async (code, wrong) => {
    const ids = await newClusters(20)
    const ends = await Promise.allSettled(
      ids.map((id, at) => write(change(id, at === 7 ? wrong : { max_machines: 5 }))),
    )
    expect(ends.map(codeOf)).toEqual(ids.map((_, at) => (at === 7 ? code : 'written')))
    const rows = await stored(ids)
    expect(rows.map(({ max_machines }) => max_machines)).toEqual(ids.map((_, at) => (at === 7 ? 10 : 5)))
    const told = (await eventsOf(ids)).map(({ aggregate_id }) => aggregate_id)
    expect(told.sort()).toEqual(ids.filter((_, at) => at !== 7).sort())
  })

  test('do not wait for one whose row someone else holds, and that one is written when it is free', async () => {
    const ids = await newClusters(10)
    const [held = '', ...others] = ids
    const holder = await holdTransaction(
      sql,
      tx => tx`update compute.clusters set name = 'held' where id = ${held}`,
    )
    let waits = true
    const [waiting, ...rest] = ids.map(id => write(change(id, { max_machines: 5 })))
    waiting?.then(() => {
      waits = false
    })
    expect((await Promise.all(rest)).map(result => result?.accepted)).toEqual(others.map(() => true))
    // By the statement that they share, not because it ran out of time.
    expect(new Set((await stored(others)).map(({ xmin }) => xmin)).size).toBe(1)
    await holder.someoneWaits()
    expect(waits).toBe(true)
    // Whoever comes meanwhile shares statements as ever.
    const another = await newCluster()
    expect((await write(change(another, { max_machines: 5 })))?.accepted).toBe(true)
    await holder.release()
    expect((await waiting)?.accepted).toBe(true)
    expect((await stored([held]))[0]).toMatchObject({ max_machines: 5, previous_etag: 'first' })
    expect(await eventsOf(ids)).toHaveLength(10)
  })
})

describe('changes of one cluster', () => {
  test('are written in their order, and whoever lost learns of the winner', async () => {
    const id = await newCluster()
    const before = await batches()
    const results = await Promise.all(times(30, at => write(change(id, { max_machines: 100 + at }))))
    expect((await batches()) - before).toBe(30)
    const [{ etag, max_machines } = { etag: '', max_machines: 0 }] = await stored([id])
    expect(max_machines).toBe(100)
    expect(results.map(result => [result?.accepted, result?.etag])).toEqual(times(30, at => [at === 0, etag]))
    expect(await eventsOf([id])).toHaveLength(1)
  })

  test('that are the same change it once, and are all accepted', async () => {
    const id = await newCluster()
    const results = await Promise.all(times(20, () => write(change(id, { max_machines: 5 }))))
    expect(new Set(results.map(result => JSON.stringify(result))).size).toBe(1)
    expect(results[0]).toMatchObject({ accepted: true, max_machines: 5 })
    expect(await eventsOf([id])).toHaveLength(1)
  })
})

describe('two processes that change the same clusters at once', () => {
  function newProcess() {
    const database = openPool(url, 4, 1000)
    onTestFinished(() => database.close())
    return createSettingsWriter(database, () => time * 1000)
  }

  test('in opposite orders: all are answered, one wins for each etag, and there is one event for each winner', async () => {
    const [one, two] = [newProcess(), newProcess()]
    const ids = await newClusters(sized(50, 125))
    const opposite = [...ids].reverse()
    const changes = [
      ...ids.map(id => ({ id, by: one, max_machines: 101 })),
      ...opposite.map(id => ({ id, by: two, max_machines: 102 })),
      ...opposite.map(id => ({ id, by: one, max_machines: 103 })),
      ...ids.map(id => ({ id, by: two, max_machines: 104 })),
    ]
    const results = await Promise.all(
      changes.map(async ({ id, by, max_machines }) => ({
        id,
        max_machines,
        result: await by(change(id, { max_machines })),
      })),
    )
    const rows = await stored(ids)
    for (const row of rows) {
      const own = results.filter(({ id }) => id === row.id)
      const winners = own.filter(({ result }) => result?.accepted)
      expect(winners.map(({ max_machines }) => max_machines)).toEqual([row.max_machines])
      expect(own.map(({ result }) => result?.etag)).toEqual(Array(4).fill(row.etag))
    }
    const events = await eventsOf(ids)
    expect(events.map(({ aggregate_id, payload }) => [aggregate_id, payload.etag]).sort()).toEqual(
      rows.map(({ id, etag }) => [id, etag]).sort(),
    )
  })
})
