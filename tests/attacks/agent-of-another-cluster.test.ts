// An attacker runs the agent of one cluster, or has found its secret: a single bus user for all agents could read and
// report on every cluster of every workspace, until the password of all of them was changed.
import { connectBus } from '@svc/bus/connection'
import { createCall } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { agentRights } from '@svc/contract/compute/agents'
import { compute } from '@svc/contract/compute/compute'
import { settingsNotice } from '@svc/contract/notices'
import { waitUntil } from '@svc/local/wait-until'
import { agentKey, createAgentSecret } from '@svc/runtime/credential'
import { agentAccess, connectAgent, type TestAgent } from '@svc/testing/stack/agent'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requester } from '@svc/testing/stack/driven-stack'
import { admissionsOfOne } from '../../services/compute/src/agents/admit-agent.ts'
import { notAdmitted, rawClient } from '../../libs/bus/test/raw-client.ts'

const silent = { info() {}, warn() {}, error() {} }
const unauthorized = { tag: 'Unauthorized' }

let product: Product
/** For a cluster of one workspace, and of the other. */
let mine: TestAgent
let theirs: TestAgent
beforeAll(async () => {
  product = await joinProduct()
  const { cluster_id, workspace_id, other_cluster_id, other_workspace_id } = product.dev
  mine = await connect(cluster_id, workspace_id)
  theirs = await connect(other_cluster_id, other_workspace_id)
})
afterAll(async () => {
  await Promise.all([mine, theirs].map(agent => agent?.bus.close()))
  await product?.stop()
})

const connect = (id: string, workspace: string) =>
  connectAgent({ natsUrl: product.stack.natsUrl, backoffice: product.backoffice }, { id, workspace })

type Made = { id: string; secret: string; created_at: number; previous_expires_at: number }
/** Over HTTP, as the owner. */
async function asOwner(method: string, path: string, body?: object) {
  const { owner, workspace_id: workspace } = product.dev
  const ask = requester<Made>(product.baseUrls[0] ?? '')
  const { status, answer } = await ask(method, path, owner.session_token, { body, workspace })
  return { status, body: answer }
}

async function newCluster() {
  const { body } = await asOwner('POST', '/clusters', { name: 'attacked' })
  const agent = await connect(body.id, product.dev.workspace_id)
  onTestFinished(() => agent.bus.close())
  return { id: body.id, agent }
}

const mayEnter = async (cluster: string, secret: string) => {
  const client = await rawClient(agentAccess(product.stack.natsUrl, cluster, secret))
  onTestFinished(() => client.close())
  return !(await client.said()).some(line => line.startsWith('-ERR'))
}

describe('the cluster of another workspace', () => {
  test('can be neither read, reported on nor listened to: the bus refuses it', async () => {
    const { cluster, id } = theirs.caller
    const client = await rawClient(agentAccess(product.stack.natsUrl, mine.caller.cluster, mine.secret))
    onTestFinished(() => client.close())
    await client.said()
    // With the key id of the other's secret, which is public, and with one's own.
    const subjects = [id, mine.caller.id].flatMap(
      key => agentRights({ kind: 'agent', cluster, id: key }).publish,
    )
    const said = await client.saidToEach([
      ...subjects.map(subject => [`PUB ${subject} 0`, '']),
      [`SUB ${settingsNotice(cluster)} 1`],
      ['SUB notices.compute_settings.* 2'],
      [`SUB _INBOX.${cluster}.> 3`],
      ['SUB rpc.compute.report_machines.*.* compute 4'],
      ['SUB $SYS.REQ.USER.AUTH compute 5'],
    ])
    expect(said.map(lines => lines.join())).toEqual(
      said.map(() => expect.stringContaining('Permissions Violation')),
    )
  })

  test('nor through an operation that is not for agents', async () => {
    const client = await rawClient(agentAccess(product.stack.natsUrl, mine.caller.cluster, mine.secret))
    onTestFinished(() => client.close())
    await client.said()
    const names = ['create_cluster', 'create_agent_secret', 'get_compute_settings', 'report_machines']
    const said = await client.saidToEach(names.map(name => [`PUB rpc.compute.${name} 0`, '']))
    expect(said.every(lines => lines.join().includes('Permissions Violation'))).toBe(true)
  })

  test('nor through the service, if the bus allowed it: a key belongs to its cluster', async () => {
    const bus = await connectBus(product.stack.bus('tests'), silent)
    onTestFinished(() => bus.close())
    const caller = { ...theirs.caller, id: mine.caller.id }
    const call = createCall(bus)
    await expect(invoke(call, compute, 'get_agent_settings', { caller })).rejects.toMatchObject(unauthorized)
    const body = { machines: 999 }
    await expect(invoke(call, compute, 'report_machines', { caller, body })).rejects.toMatchObject(
      unauthorized,
    )
    expect((await theirs.settings()).machines).not.toBe(999)
  })

  test('its secret does not open it under another name', async () => {
    expect(await mayEnter(theirs.caller.cluster, mine.secret)).toBe(false)
    expect(await mayEnter(mine.caller.cluster, mine.secret)).toBe(true)
  })
})

describe('a leaked secret', () => {
  test('is invalid once the cluster is deleted', async () => {
    const { id, agent } = await newCluster()
    await agent.report(1)
    expect((await asOwner('DELETE', `/clusters/${id}`)).status).toBe(204)
    await expect(agent.settings()).rejects.toMatchObject({ tag: 'ClusterNotFoundError' })
    expect(await mayEnter(id, agent.secret)).toBe(false)
  })

  test('is invalid from the reply to its revocation on, even on an open connection', async () => {
    const { id, agent } = await newCluster()
    await agent.report(1)
    expect((await asOwner('DELETE', `/clusters/${id}/agent_secret`)).status).toBe(204)
    await expect(agent.report(2)).rejects.toMatchObject(unauthorized)
    expect(await mayEnter(id, agent.secret)).toBe(false)
  })

  test('is invalid from the reply to a rotation on, and the new one is valid', async () => {
    const { id, agent } = await newCluster()
    const { body } = await asOwner('POST', `/clusters/${id}/agent_secret`)
    await expect(agent.settings()).rejects.toMatchObject(unauthorized)
    expect([await mayEnter(id, agent.secret), await mayEnter(id, body.secret)]).toEqual([false, true])
  })

  test('with a grace period is valid for that long, and its connection ends with it', async () => {
    const { id, agent } = await newCluster()
    const { body } = await asOwner('POST', `/clusters/${id}/agent_secret`, { grace_seconds: 3 })
    expect(body.previous_expires_at - body.created_at).toBe(3)
    const late = await connectBus(agentAccess(product.stack.natsUrl, id, agent.secret), silent)
    onTestFinished(() => late.close())
    await agent.report(1)
    await waitUntil('the end', async () => (await agent.report(1).catch(({ tag }) => tag)) === 'Unauthorized')
    await waitUntil('its connection is ended', () => late.losses > 0)
    expect(await mayEnter(id, agent.secret)).toBe(false)
  })

  test('leaves one live secret and one retired one after fifty rotations at once', async () => {
    const { id } = await newCluster()
    const made = await Promise.all(
      Array.from({ length: 50 }, () =>
        asOwner('POST', `/clusters/${id}/agent_secret`, { grace_seconds: 60 }),
      ),
    )
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    const rows = await product.sql`
      select expires_at is null as live from compute.agent_secrets where cluster_id = ${id} order by live`
    expect(rows.map(({ live }) => live)).toEqual([false, true])
  })
})

test('the secret of one cluster opens only a few connections, and other agents can connect', async () => {
  const { id, agent } = await newCluster()
  const replicas = 2
  const tries = admissionsOfOne * replicas + 60
  const opened = await Promise.all(
    Array.from({ length: tries }, async () => {
      const client = await rawClient(agentAccess(product.stack.natsUrl, id, agent.secret))
      onTestFinished(() => client.close())
      return !(await client.said()).some(line => line.startsWith('-ERR'))
    }),
  )
  expect(opened.filter(Boolean).length).toBeGreaterThan(0)
  expect(opened.filter(Boolean).length).toBeLessThanOrEqual(admissionsOfOne * replicas)
  expect(await mayEnter(mine.caller.cluster, mine.secret)).toBe(true)
  // The existing connection stays.
  await agent.report(1)
})

const crowd = sized(50, 500)
test(`${crowd} connections with made-up secrets keep out neither the right one nor anyone else`, async () => {
  const { cluster, id } = mine.caller
  expect(agentKey(mine.secret)).toBe(id)
  const attackers = Promise.all(
    Array.from({ length: crowd }, async () => {
      const client = await rawClient(agentAccess(product.stack.natsUrl, cluster, createAgentSecret()))
      onTestFinished(() => client.close())
      return (await client.said()).join()
    }),
  )
  const bus = await connectBus(agentAccess(product.stack.natsUrl, cluster, mine.secret), silent)
  onTestFinished(() => bus.close())
  await bus.nc.flush()
  const [others] = await Promise.all([asOwner('GET', '/clusters'), mine.settings()])
  expect(others.status).toBe(200)
  expect((await attackers).filter(said => !notAdmitted.test(said))).toEqual([])
  expect(mine.bus.losses).toBe(0)
})
