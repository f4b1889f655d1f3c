// What comes between the steps of a deletion: after offers has answered, and before the cluster is removed.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { type Database, openDatabase } from '@svc/runtime/database'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteCluster } from '../src/delete-cluster.ts'
import { type JoinedClusterScene, joinClusterScene } from './cluster-scene.ts'

let scene: JoinedClusterScene
let database: Database
let bus: Bus
beforeAll(async () => {
  scene = await joinClusterScene()
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

/** Deletes it; after the first answer of offers something else happens. */
async function removeWhile(id: string, work: () => Promise<unknown>) {
  const call = createCall(bus)
  let asked = 0
  const callBus: CallBus = async request => {
    const answer = await call(request)
    if (++asked === 1) await work()
    return answer
  }
  const outcome = await deleteCluster(
    { params: { id }, query: undefined, headers: undefined, body: undefined },
    { kind: 'internal', id: 'test', workspace: scene.stack.dev.workspace_id },
    {
      sql: database.sql,
      now: Date.now,
      maxMachines: 7,
      eventWritten() {},
      call: { deadline: Date.now() + 5000, request_id: 'test' },
      callBus,
    },
  ).then(
    () => 204,
    error => error.status,
  )
  return { outcome, asked }
}

const setMark = (id: string, to: string) =>
  scene.stack.sql.unsafe(`update compute.clusters set ${to} where id = '${id}'`)
const gone = async (id: string) => (await scene.token('GET', `/clusters/${id}`)).status === 404

test('nothing: it is removed', async () => {
  const id = await scene.newCluster()
  expect(await removeWhile(id, async () => {})).toEqual({ outcome: 204, asked: 1 })
  expect(await gone(id)).toBe(true)
})

test('another deletion that was refused took the mark back, and an install was started', async () => {
  const id = await scene.newCluster()
  const outcome = await removeWhile(id, async () => {
    await setMark(id, 'deletion = null, deleting_at = null')
    expect(await scene.install(id)).toMatch(/^inst_/)
  })
  expect(outcome).toEqual({ outcome: 409, asked: 2 })
  expect(await gone(id)).toBe(false)
})

test('the same, and a third deletion has marked it again', async () => {
  const id = await scene.newCluster()
  const outcome = await removeWhile(id, async () => {
    await setMark(id, 'deletion = null, deleting_at = null')
    expect(await scene.install(id)).toMatch(/^inst_/)
    await setMark(id, `deletion = 'third', deleting_at = now()`)
  })
  expect(outcome).toEqual({ outcome: 409, asked: 2 })
  expect(await gone(id)).toBe(false)
})

test('so much time that the mark is heeded by nobody, and an install was started', async () => {
  const id = await scene.newCluster()
  const outcome = await removeWhile(id, async () => {
    await setMark(id, `deleting_at = now() - interval '31 s'`)
    expect(await scene.install(id)).toMatch(/^inst_/)
  })
  expect(outcome).toEqual({ outcome: 409, asked: 2 })
  expect(await gone(id)).toBe(false)
})

test('so much time that it might not be committed in time: asked again, and removed', async () => {
  const id = await scene.newCluster()
  const outcome = await removeWhile(id, () => setMark(id, `deleting_at = now() - interval '11 s'`))
  expect(outcome).toEqual({ outcome: 204, asked: 2 })
  expect(await gone(id)).toBe(true)
})

test('another deletion that removed it', async () => {
  const id = await scene.newCluster()
  const outcome = await removeWhile(id, async () => {
    expect((await scene.owner('DELETE', `/clusters/${id}`)).status).toBe(204)
  })
  expect(outcome).toEqual({ outcome: 404, asked: 1 })
})
