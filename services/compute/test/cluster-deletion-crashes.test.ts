// Deletions and orders that die between two steps: the cluster is neither stuck nor lost to who refers to it.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute'
import { waitUntil } from '@svc/local/wait-until'
import { type Database, openDatabase } from '@svc/runtime/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteCluster } from '../src/delete-cluster.ts'
import { type ClusterScene, startClusterScene } from './cluster-scene.ts'

let scene: ClusterScene
let database: Database
let bus: Bus
beforeAll(async () => {
  scene = await startClusterScene()
  const { stack } = scene.stack
  const config = { DATABASE_URL: stack.databaseUrls.compute, DATABASE_POOL_SIZE: 2, DATABASE_QUEUE_LIMIT: 10 }
  database = openDatabase(config, 'compute')
  bus = await connectBus(stack.bus('compute'), { info() {}, warn() {}, error() {} })
})
afterAll(async () => {
  await bus?.close()
  await database?.close()
  await scene?.stop()
})

/** A deletion in this process, whose question goes to offers as `ask` lets it. */
const removeHere = (id: string, ask: (call: CallBus) => CallBus) =>
  deleteCluster(
    { params: { id }, query: undefined, headers: undefined, body: undefined },
    { kind: 'internal', id: 'test', workspace: scene.stack.dev.workspace_id },
    {
      sql: database.sql,
      now: Date.now,
      maxMachines: 7,
      eventWritten() {},
      call: { deadline: Date.now() + 5000, request_id: 'test' },
      callBus: ask(createCall(bus)),
    },
  ).then(
    () => 204,
    error => error.status ?? error.message,
  )

const died = new Error('died')
/** As one whose process died after the answer of offers. */
const removeHalfway = (id: string) =>
  removeHere(id, call => async request => {
    await call(request)
    throw died
  })

const remove = async (id: string) => (await scene.owner('DELETE', `/clusters/${id}`)).status
const status = async (id: string) => (await scene.token('GET', `/clusters/${id}`)).status

test('a deletion that dies before offers has answered changes nothing', async () => {
  const id = await scene.newCluster()
  expect(await removeHere(id, () => () => Promise.reject(died))).toBe('died')
  expect(await scene.install(id)).toMatch(/^inst_/)
  expect(await remove(id)).toBe(409)
})

test('one that dies after that is finished by the next; until then the cluster is there, and no order gets it', async () => {
  const id = await scene.newCluster()
  expect(await removeHalfway(id)).toBe('died')
  expect(await status(id)).toBe(200)
  expect((await scene.token('GET', `/clusters/${id}/compute_settings`)).status).toBe(200)
  expect(await scene.install(id)).toBeNull()
  expect(await remove(id)).toBe(204)
  expect(await status(id)).toBe(404)
})

test('or else by offers, when the call is over for certain; and its id is not used again', async () => {
  const id = await scene.newCluster()
  expect(await removeHalfway(id)).toBe('died')
  await scene.stack.sql`
    update offers.closed_clusters set closed_at = now() - interval '11 s' where cluster_id = ${id}`
  await waitUntil('offers has it removed', async () => (await status(id)) === 404)
  expect(await remove(id)).toBe(404)
  const again = invoke(scene.stack.backoffice, compute, 'put_cluster', {
    caller: { kind: 'internal', id: 'test', workspace: scene.stack.dev.workspace_id },
    body: { id, name: 'again' },
  })
  await expect(again).rejects.toMatchObject({ status: 409 })
})

test('one that another one overtakes finds nothing', async () => {
  const id = await scene.newCluster()
  const outcome = await removeHere(id, call => async request => {
    const answer = await call(request)
    expect(await remove(id)).toBe(204)
    return answer
  })
  expect(outcome).toBe(404)
})

/** Keeps a row locked while `work` is on, and says when somebody waits for it. */
async function whileLocked(table: string, id: string, work: (waited: () => Promise<void>) => Promise<void>) {
  const { sql } = scene.stack
  const tx = await sql.reserve()
  await tx`begin`
  await tx.unsafe(`select from ${table} where id = '${id}' for update`)
  const [own] = await tx`select pg_backend_pid() as pid`
  await work(() =>
    waitUntil('somebody waits', async () => {
      const waiting = await sql`
        select from pg_stat_activity where ${own?.pid}::int = any(pg_blocking_pids(pid))`
      return waiting.length > 0
    }),
  )
  await tx`rollback`
  tx.release()
}

async function killed(service: 'compute' | 'offers') {
  const replicas = scene.stack.stack.processes[service]
  for (const replica of replicas) replica.kill('SIGKILL')
  await waitUntil('they are gone', () => replicas.every(replica => !replica.running()))
}
const started = (service: 'compute' | 'offers') =>
  Promise.all(scene.stack.stack.processes[service].map(replica => replica.start()))

test('killed with SIGKILL before the removal is committed, it has happened or is finished by the next', async () => {
  const id = await scene.newCluster()
  let answer: Promise<number> | undefined
  await whileLocked('compute.clusters', id, async waited => {
    answer = remove(id)
    await waited()
    await killed('compute')
  })
  expect(await answer).toBeGreaterThanOrEqual(503)
  await started('compute')
  expect(await scene.install(id)).toBeNull()
  expect([204, 404]).toContain(await remove(id))
  expect(await status(id)).toBe(404)
})

test('a submission whose replica is killed with SIGKILL has happened or not, and pins nothing', async () => {
  const id = await scene.newCluster()
  const order = await scene.newOrder()
  const [{ offer_id } = { offer_id: '' }] = await scene.stack.sql<{ offer_id: string }[]>`
    select offer_id from offers.orders where id = ${order}`
  let answer: Promise<string | null> | undefined
  await whileLocked('offers.offers', offer_id, async waited => {
    answer = scene.install(id, order)
    answer.catch(() => {})
    await waited()
    await killed('offers')
  })
  await expect(answer).rejects.toThrow('was answered 50')
  await started('offers')
  const { body } = await scene.token('GET', `/orders/${order}`)
  if (body.state === 'completed') {
    expect(await remove(id)).toBe(409)
    expect((await scene.token('POST', `/installs/${body.install_id}/remove`)).status).toBe(200)
  } else {
    expect(body).toMatchObject({ state: 'open', cluster_id: null })
  }
  expect(await remove(id)).toBe(204)
})
