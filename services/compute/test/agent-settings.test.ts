// What a cluster's agent is told, and by whom.
import { createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { awaitNotices } from '@svc/bus/notices'
import { compute } from '@svc/contract/compute'
import { settingsNotice } from '@svc/contract/notices'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { patience } from '@svc/testing/size'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JoinedClusterScene, joinClusterScene } from './cluster-scene.ts'
import { type Client, settingsClient } from './settings-client.ts'

const silent = { info() {}, warn() {}, error() {} }
let scene: JoinedClusterScene
let client: Client
let agent: Bus
beforeAll(async () => {
  scene = await joinClusterScene()
  client = settingsClient(scene.stack.baseUrls[0] ?? '', scene.stack.dev.api_token)
  agent = await connectBus(scene.stack.stack.bus('compute-agent'), silent)
})
afterAll(async () => {
  await agent?.close()
  await scene?.stop()
})

const ask = (cluster_id: string) =>
  invoke(createCall(agent), compute, 'get_agent_settings', {
    caller: { kind: 'internal', id: 'agent' },
    body: { cluster_id },
  })

async function listen(id: string) {
  const heard: string[] = []
  awaitNotices(agent, settingsNotice(id), silent, () => void heard.push(id))
  await agent.nc.flush()
  return heard
}

test('the settings are those that clients see', async () => {
  const id = await scene.newCluster()
  expect(await ask(id)).toEqual((await client.get(id)).body)
})

test('of an unknown cluster there are none', async () => {
  await expect(ask(newId('clus'))).rejects.toMatchObject({ body: { _tag: 'ClusterNotFoundError' } })
})

test('a change is told within a second, to the agent of that cluster alone; a report is not', async () => {
  const [id, other] = [await scene.newCluster(), await scene.newCluster()]
  const [heard, heardOfOther] = [await listen(id), await listen(other)]
  const { etag } = await ask(id)
  const began = Date.now()
  const { body } = await client.patch(id, { max_machines: 3 }, etag)
  await waitUntil('the notice', () => heard.length > 0)
  expect(Date.now() - began).toBeLessThan(patience(1000))
  expect(await ask(id)).toEqual(body)

  await invoke(createCall(agent), compute, 'report_machines', {
    caller: { kind: 'internal', id: 'agent' },
    body: { cluster_id: id, machines: 2 },
  })
  expect(await ask(id)).toEqual({ ...body, machines: 2 })
  // What follows it was told, so the report would have been by now.
  const next = await client.patch(id, { auto_scaling_enabled: false }, body.etag)
  expect(next.status).toBe(200)
  await waitUntil('the next notice', () => heard.length > 1)
  expect([heard.length, heardOfOther.length]).toEqual([2, 0])
})

test('a deletion is told', async () => {
  const id = await scene.newCluster()
  const heard = await listen(id)
  expect((await scene.owner('DELETE', `/clusters/${id}`)).status).toBe(204)
  await waitUntil('the notice', () => heard.length > 0)
  await expect(ask(id)).rejects.toMatchObject({ body: { _tag: 'ClusterNotFoundError' } })
})
