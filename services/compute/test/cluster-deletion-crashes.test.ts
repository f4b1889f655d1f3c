// Deletions that crash between two steps: the cluster is neither stuck nor missing for orders that refer to it. With killed
// processes: own-product/killed-deletions.ts.
import { forFile } from '@svc/testing/for-file'
import { bySystem } from '@svc/contract/core/actor'
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { type Database, openDatabase } from '@svc/runtime/database'
import { createEventReader } from '@svc/runtime/outbox/read-events'
import { unhurried } from '@svc/testing/size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteCluster } from '../src/clusters/delete-cluster.ts'
import { createSettingsWriter } from '../src/settings/write-settings.ts'
import { joinClusterScene } from './cluster-scene.ts'

const scene = forFile(joinClusterScene)
let database: Database
let bus: Bus
beforeAll(async () => {
  const { stack } = scene.stack
  const config = { DATABASE_URL: stack.databaseUrls.compute, DATABASE_POOL_SIZE: 2, DATABASE_QUEUE_LIMIT: 10 }
  database = openDatabase(config, 'compute')
  bus = await connectBus(stack.bus('compute'), { info() {}, warn() {}, error() {} })
})
afterAll(async () => {
  await bus?.close()
  await database?.close()
})

/** A deletion in this process, whose call to offers goes through `ask`. */
const removeHere = (id: string, ask: (call: CallBus) => CallBus) =>
  deleteCluster(
    { params: { id }, query: undefined, headers: undefined, body: undefined },
    { kind: 'internal', id: 'test', workspace: scene.stack.dev.workspace_id },
    {
      sql: database.sql,
      now: Date.now,
      maxMachines: 7,
      writeSettings: createSettingsWriter(database, Date.now),
      eventWritten() {},
      readEvents: createEventReader(database),
      call: { deadline: unhurried(), request_id: 'test', by: bySystem('test') },
      callBus: ask(createCall(bus)),
    },
  ).then(
    () => 204,
    error => error.status ?? error.message,
  )

const died = new Error('died')
/** Fails after the answer of offers, as if the process had crashed. */
const removeHalfway = (id: string) =>
  removeHere(id, call => async request => {
    await call(request)
    throw died
  })

const remove = async (id: string) => (await scene.owner('DELETE', `/clusters/${id}`)).status
const status = async (id: string) => (await scene.token('GET', `/clusters/${id}`)).status

test('a deletion that crashes before offers has answered changes nothing', async () => {
  const id = await scene.newCluster()
  expect(await removeHere(id, () => () => Promise.reject(died))).toBe('died')
  expect(await scene.install(id)).toMatch(/^inst_/)
  expect(await remove(id)).toBe(409)
})

test('a deletion that crashes after that is finished by the next deletion; until then the cluster exists, and no order gets it', async () => {
  const id = await scene.newCluster()
  expect(await removeHalfway(id)).toBe('died')
  expect(await status(id)).toBe(200)
  expect((await scene.token('GET', `/clusters/${id}/compute_settings`)).status).toBe(200)
  expect(await scene.install(id)).toBeNull()
  expect(await remove(id)).toBe(204)
  expect(await status(id)).toBe(404)
})

test('a crashed deletion is also finished by offers, once the call is certainly over; its id cannot be used again', async () => {
  const id = await scene.newCluster()
  expect(await removeHalfway(id)).toBe('died')
  await scene.stack.sql`
    update offers.closed_clusters set closed_at = now() - interval '11 s' where cluster_id = ${id}`
  await waitUntil('the removal by offers', async () => (await status(id)) === 404)
  expect(await remove(id)).toBe(404)
  const again = scene.stack.sql`
    insert into compute.clusters (id, workspace_id, name, max_machines, etag, created_at, updated_at)
    values (${id}, ${scene.stack.dev.workspace_id}, 'again', 1, 'again', now(), now())`
  await expect(again).rejects.toMatchObject({ code: 'SV001' })
})

test('a deletion that another one overtakes gets 404', async () => {
  const id = await scene.newCluster()
  const outcome = await removeHere(id, call => async request => {
    const answer = await call(request)
    expect(await remove(id)).toBe(204)
    return answer
  })
  expect(outcome).toBe(404)
})
