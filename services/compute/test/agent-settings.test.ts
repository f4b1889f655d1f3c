// What a cluster's agent reads, and the notices it gets.
import { forFile } from '@svc/testing/for-file'
import { awaitNotices } from '@svc/bus/notices'
import { settingsNotice } from '@svc/contract/notices'
import { waitUntil } from '@svc/local/wait-until'
import { connectAgent, type TestAgent } from '@svc/testing/stack/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinClusterScene } from './cluster-scene.ts'
import { type Client, settingsClient } from './settings-client.ts'

const silent = { info() {}, warn() {}, error() {} }
const scene = forFile(joinClusterScene)
let client: Client
const agents: TestAgent[] = []
beforeAll(() => {
  client = settingsClient(scene.stack.baseUrls[0] ?? '', scene.stack.dev.api_token)
})
afterAll(async () => {
  await Promise.all(agents.map(({ bus }) => bus.close()))
})

/** A cluster, with its agent. */
async function newCluster() {
  const id = await scene.newCluster()
  const { stack, backoffice, dev } = scene.stack
  const agent = await connectAgent(
    { natsUrl: stack.natsUrl, backoffice },
    { id, workspace: dev.workspace_id },
  )
  agents.push(agent)
  return { id, agent }
}

async function listen({ bus, caller: { cluster } }: TestAgent) {
  const notices: string[] = []
  awaitNotices(bus, settingsNotice(cluster), silent, () => void notices.push(cluster))
  await bus.nc.flush()
  return notices
}

test('the agent reads the same settings as clients', async () => {
  const { id, agent } = await newCluster()
  expect(await agent.settings()).toEqual((await client.get(id)).body)
})

test('an agent is notified of a change, and only of its own cluster; a report causes no notice', async () => {
  const [{ id, agent }, other] = [await newCluster(), await newCluster()]
  const [notices, noticesOfOther] = [await listen(agent), await listen(other.agent)]
  const { etag } = await agent.settings()
  const { body } = await client.patch(id, { max_machines: 3 }, etag)
  await waitUntil('the notice', () => notices.length > 0)
  expect(await agent.settings()).toEqual(body)

  await agent.report(2)
  expect(await agent.settings()).toEqual({ ...body, machines: 2 })
  // Once the notice of the next change is here, one of the report would be, too.
  const next = await client.patch(id, { auto_scaling_enabled: false }, body.etag)
  expect(next.status).toBe(200)
  await waitUntil('the next notice', () => notices.length > 1)
  expect([notices.length, noticesOfOther.length]).toEqual([2, 0])
})

test('a cluster tells of its agent, to its own workspace alone', async () => {
  const bare = await scene.newCluster()
  const { id, agent } = await newCluster()
  const agentIn = async (path: string) => (await scene.token('GET', path)).body.agent
  expect(await agentIn(`/clusters/${bare}`)).toEqual({ has_secret: false, last_reported_at: null })
  expect(await agentIn(`/clusters/${id}`)).toEqual({ has_secret: true, last_reported_at: null })
  const began = Math.floor(Date.now() / 1000)
  for (const machines of [6, 4]) await agent.report(machines)
  const { body } = await scene.token('GET', `/clusters/${id}`)
  const { last_reported_at } = body.agent as { last_reported_at: number }
  expect(last_reported_at).toBeGreaterThanOrEqual(began)
  expect(await scene.owner('PATCH', `/clusters/${id}`, { name: 'renamed' })).toMatchObject({
    status: 200,
    body: { agent: body.agent },
  })
  const listed = (await scene.token('GET', '/clusters')).body.data.find(each => each.id === id)
  expect(listed?.agent).toEqual(body.agent)
  const path = `/clusters/${id}/machines`
  const { data } = (await scene.member('GET', path)).body
  expect(data.map(({ least, most }) => [least, most])).toEqual([[4, 6]])
  for (const query of ['?hours=0', '?hours=721', '?days=1'])
    expect((await scene.token('GET', path + query)).status).toBe(400)
  const notFound = { status: 404, body: { _tag: 'ClusterNotFoundError' } }
  expect(await scene.theirs('GET', path)).toEqual(notFound)
  expect((await scene.owner('DELETE', `/clusters/${id}/agent_secret`)).status).toBe(204)
  expect(await agentIn(`/clusters/${id}`)).toEqual({ has_secret: false, last_reported_at })
  expect((await scene.owner('DELETE', `/clusters/${id}`)).status).toBe(204)
  expect(await scene.token('GET', path)).toEqual(notFound)
})

test('an agent is notified of a deletion', async () => {
  const { id, agent } = await newCluster()
  const notices = await listen(agent)
  expect((await scene.owner('DELETE', `/clusters/${id}`)).status).toBe(204)
  await waitUntil('the notice', () => notices.length > 0)
  await expect(agent.settings()).rejects.toMatchObject({ body: { _tag: 'ClusterNotFoundError' } })
})
