// What agents report, by hour: each report counts, and one that says nothing new writes nothing.
import { openPool } from '@svc/testing/open-pool'
import { compute } from '@svc/contract/compute/compute'
import type { Deps } from '../src/deps.ts'
import type { Database } from '@svc/runtime/database'
import { newId } from '@svc/runtime/id'
import { shareTestDatabase } from '@svc/testing/database'
import { sized } from '@svc/testing/size'
import postgres from 'postgres'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reportMachines, sameAgainSeconds } from '../src/agents/report-machines.ts'
import { getCluster } from '../src/clusters/get-cluster.ts'
import { listMachineCounts } from '../src/clusters/list-machine-counts.ts'
import { removeCluster } from '../src/clusters/remove-cluster.ts'

const hour = 3600
/** When an hour begins. */
const noon = 1_800_000_000
const workspace = newId('ws')
const key = '0123456789abcdef'

let sql: postgres.Sql
/** One for each replica. */
let databases: Database[]
/** Unix seconds. */
let time: number

beforeAll(async () => {
  const server = await shareTestDatabase()
  sql = postgres(server.adminUrl, { max: 2, onnotice: () => {}, connection: { search_path: 'compute' } })
  databases = [1, 2].map(() => openPool(server.urls.compute, 8, 1000))
})
beforeEach(() => {
  time = noon
})
afterAll(async () => {
  await Promise.all(databases?.map(database => database.close()) ?? [])
  await sql?.end({ timeout: 1 })
})

/** Clusters with agents. */
async function newClusters(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('clus'))
  await sql`
    insert into clusters (id, workspace_id, name, etag, updated_at)
    select id, ${workspace}, 'test', 'e', now() from unnest(${ids}::text[]) id`
  await sql`
    insert into agent_secrets (hash, cluster_id, created_at)
    select decode(${key}, 'hex') || sha256(id::bytea), id, now() from unnest(${ids}::text[]) id`
  return ids
}
const newCluster = async () => (await newClusters(1))[0] ?? ''

const deps = (replica = 0) =>
  ({
    sql: databases[replica]?.sql,
    now: () => time * 1000 + 999,
    eventWritten() {},
    call: {},
  }) as unknown as Deps
const report = (cluster: string, machines: number, replica = 0, id = key) =>
  reportMachines(
    { body: { machines }, params: undefined, query: undefined, headers: undefined },
    { kind: 'agent', cluster, id },
    deps(replica),
  )
const caller = { kind: 'internal', id: 'test', workspace } as const
async function counts(id: string, hours?: string) {
  const query = compute.operations.list_machine_counts.query.parse(hours ? { hours } : {})
  const { body } = await listMachineCounts(
    { params: { id }, query, headers: undefined, body: undefined },
    caller,
    deps(),
  )
  return body.data
}
const agentOf = async (id: string) =>
  (
    await getCluster(
      { params: { id }, query: undefined, headers: undefined, body: undefined },
      caller,
      deps(),
    )
  ).body.agent

test('an hour has the least and the most that was reported, and an hour without a report is left out', async () => {
  const id = await newCluster()
  for (const machines of [4, 2, 7, 3]) await report(id, machines)
  time = noon + hour - 1
  await report(id, 5)
  time = noon + 3 * hour
  await report(id, 5)
  expect(await counts(id)).toEqual([
    { at: noon, least: 2, most: 7 },
    { at: noon + 3 * hour, least: 5, most: 5 },
  ])
  expect(await counts(id, '3')).toEqual([{ at: noon + 3 * hour, least: 5, most: 5 }])
  expect(await counts(id, '4')).toHaveLength(2)
})

test('each of many reports at once, at two replicas, counts', async () => {
  const id = await newCluster()
  const reports = Array.from({ length: sized(30, 300) }, (_, n) => 10 + n)
  await Promise.all(reports.map((machines, n) => report(id, machines, n % 2)))
  expect(await counts(id)).toEqual([{ at: noon, least: 10, most: reports.at(-1) }])
})

test('when the agent last reported is exact to ten seconds, and never goes back', async () => {
  const id = await newCluster()
  expect(await agentOf(id)).toEqual({ has_secret: true, last_reported_at: null })
  for (const [after, machines, expected] of [
    [0, 3, 0],
    [sameAgainSeconds - 1, 3, 0],
    [sameAgainSeconds, 3, sameAgainSeconds],
    [sameAgainSeconds + 1, 4, sameAgainSeconds + 1],
    // By the clock of another replica.
    [2, 5, sameAgainSeconds + 1],
  ] as const) {
    time = noon + after
    await report(id, machines)
    expect((await agentOf(id)).last_reported_at).toBe(noon + expected)
  }
})

test('a number that is reported again and again is written every ten seconds, and counted once', async () => {
  const id = await newCluster()
  const rows = async () => ({
    cluster: (await sql`select ctid, xmin from clusters where id = ${id}`)[0],
    count: (await sql`select ctid, xmin from machine_counts where cluster_id = ${id}`)[0],
  })
  await report(id, 3)
  const before = await rows()
  for (time = noon + 1; time < noon + sameAgainSeconds; time++) await report(id, 3)
  expect(await rows()).toEqual(before)
  time = noon + sameAgainSeconds
  await report(id, 3)
  const after = await rows()
  expect(after.cluster).not.toEqual(before.cluster)
  expect(after.count).toEqual(before.count)
})

test('numbers that change with each report hardly touch an index', async () => {
  const ids = await newClusters(sized(20, 100))
  for (const id of ids) await report(id, 1)
  const sizes = async () =>
    (
      await sql`
        select pg_relation_size(c.oid)::int as size from pg_class c join pg_index i on i.indexrelid = c.oid
        where i.indrelid in ('clusters'::regclass, 'machine_counts'::regclass) order by c.relname`
    ).map(({ size }) => Number(size))
  const before = await sizes()
  const rounds = sized(30, 200)
  for (let round = 0; round < rounds; round++)
    await Promise.all(ids.map(id => report(id, 2 + round, round % 2)))
  const after = await sizes()
  // An entry for each would take more than 40 bytes. One in ten may be needed where many are under way on one page.
  const most = Math.max(8192, (rounds * ids.length * 40) / 10)
  expect(after.map((size, n) => size - (before[n] ?? 0)).filter(growth => growth > most)).toEqual([])
})

test('the first report of an hour removes what is older than 30 days', async () => {
  const [id = '', silent = ''] = await newClusters(2)
  for (const one of [id, silent]) await report(one, 1)
  time = noon + 719 * hour
  await report(id, 2)
  expect(await counts(id, '720')).toHaveLength(2)
  time = noon + 720 * hour
  await report(id, 3)
  expect(await counts(id, '720')).toHaveLength(2)
  const left =
    await sql`select cluster_id from machine_counts where cluster_id in (${id}, ${silent}) and least = 1`
  // It is not shown, and goes with its cluster.
  expect(left).toEqual([{ cluster_id: silent }])
  expect(await counts(silent, '720')).toEqual([])
})

test('a cluster that is deleted while its agent reports leaves nothing', async () => {
  const ids = await newClusters(sized(10, 50))
  for (const id of ids.slice(0, 5)) await report(id, 1)
  const reports = ids.flatMap(id => [1, 2, 3, 4].map(n => report(id, n, n % 2).catch(error => error.tag)))
  const deletions = ids.map(id => removeCluster(id, workspace, { ...deps(), call: { by: system } as never }))
  const outcomes = await Promise.all(reports)
  expect(await Promise.all(deletions)).toEqual(ids.map(() => true))
  for (const outcome of outcomes)
    if (typeof outcome !== 'object') expect(outcome).toBe('ClusterNotFoundError')
  expect(await sql`select from machine_counts where cluster_id = any (${ids})`).toHaveLength(0)
})
const system = { actor: null, request_id: null, address: null }

test('a report with a secret that is not accepted is refused, and counts nothing', async () => {
  const id = await newCluster()
  await expect(report(id, 3, 0, 'f'.repeat(16))).rejects.toMatchObject({ tag: 'Unauthorized' })
  expect(await counts(id)).toEqual([])
  expect((await agentOf(id)).last_reported_at).toBeNull()
})

test('a cluster of another workspace has none', async () => {
  const id = await newCluster()
  await report(id, 3)
  await sql`update clusters set workspace_id = ${newId('ws')} where id = ${id}`
  await expect(counts(id)).rejects.toMatchObject({ tag: 'ClusterNotFoundError' })
})
