// The agent as a process beside the whole product: a change of the settings moves the machines, and they are reported.
import { forFile } from '@svc/testing/for-file'
import { agentEnv, newAgentSecrets } from '@svc/local/agent-secrets'
import { type Program, programs } from '@svc/local/programs'
import { waitUntil } from '@svc/local/wait-until'
import { createAgentSecret } from '@svc/runtime/credential'
import { joinProduct } from '@svc/testing/stack/join-product'
import { showOnFailure } from '@svc/testing/recent-lines'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../../libs/runtime/test/database/tcp-proxy.ts'

interface Settings {
  auto_scaling: string
  machines: number
  max_machines: number
  updated_at: number
  etag: string
}

/** Too rare to cause anything within a test. */
const rarely = { RECONCILE_EVERY_SECONDS: '600', SIMULATED_STEP_MS: '20' }

const running = forFile(joinProduct)
/** The agents' way to the bus. */
let proxy: TcpProxy
let agent: Program
let secrets: Record<string, string>
const lines: string[] = []
const agents: Program[] = []

beforeAll(async () => {
  proxy = await startTcpProxy(running.stack.natsUrl)
  const { cluster_id, workspace_id, other_cluster_id, other_workspace_id } = running.dev
  secrets = await newAgentSecrets(running.backoffice, [
    { id: cluster_id, workspace: workspace_id },
    { id: other_cluster_id, workspace: other_workspace_id },
  ])
  agent = await startAgent(secrets, rarely)
})
afterAll(async () => {
  await Promise.all(agents.map(each => each.stop()))
  await proxy?.close()
})
showOnFailure(() => lines)

async function startAgent(of: Record<string, string>, env: Record<string, string>) {
  const start = programs({
    bus: () => ({ NATS_URL: proxy.url }),
    publicUrl: '',
    onLine: line => lines.push(line),
    options: {},
  })
  const given = { ...agentEnv(of), DRIVER: 'simulated', ...env }
  const started = await start('compute-agent', 'compute-agent', given)
  agents.push(started)
  await started.untilReady()
  return started
}

const request = async (init: RequestInit & { headers?: Record<string, string> } = {}) => {
  const { api_token, cluster_id } = running.dev
  const response = await fetch(`${running.baseUrls[0]}/clusters/${cluster_id}/compute_settings`, {
    ...init,
    headers: { authorization: `Bearer ${api_token}`, ...init.headers },
  })
  return { status: response.status, body: (await response.json()) as Settings }
}
const read = async () => (await request()).body

async function change(body: object): Promise<Settings> {
  const headers = { 'content-type': 'application/json', 'if-match': (await read()).etag }
  const changed = await request({ method: 'PATCH', headers, body: JSON.stringify(body) })
  expect(changed.status).toBe(200)
  return changed.body
}

const machines = (count: number) =>
  waitUntil(`${count} machines`, async () => (await read()).machines === count, {
    everyMs: 10,
  })

test('machines follow max_machines up and down, and the etag stays', async () => {
  await machines(10)
  for (const max_machines of [14, 3]) {
    const { etag, updated_at } = await change({ max_machines })
    await waitUntil(`${max_machines} machines`, async () => {
      const now = await read()
      expect([now.etag, now.updated_at]).toEqual([etag, updated_at])
      return now.machines === max_machines
    })
  }
})

test('without auto-scaling their number stays, but for what is above the limit', async () => {
  await change({ auto_scaling_enabled: true, max_machines: 6 })
  await machines(6)
  await change({ auto_scaling_enabled: false, max_machines: 9 })
  await change({ max_machines: 4 })
  // Had the first change moved them, they would have been more on the way.
  await machines(4)
  await change({ auto_scaling_enabled: true })
})

test('what was changed while the bus was away is made up for as soon as it is back', async () => {
  await change({ max_machines: 5 })
  await machines(5)
  proxy.refuse(true)
  proxy.cut()
  await waitUntil('the loss', () => lines.some(line => line.includes('bus disconnected')))
  // Nobody is told of it.
  await running.sql`update compute.clusters set max_machines = 8 where id = ${running.dev.cluster_id}`
  proxy.refuse(false)
  await machines(8)
})

test('an agent that was away finds what was changed, and goes on where the last one stood', async () => {
  await change({ max_machines: 6 })
  await machines(6)
  await agent.stop()
  await change({ max_machines: 7 })
  expect((await read()).machines).toBe(6)
  await agent.start()
  await machines(7)
})

describe('a second agent', () => {
  beforeAll(async () => {
    const often = { ...rarely, LOG_LEVEL: 'warn', RECONCILE_EVERY_SECONDS: '0.1' }
    await startAgent({ ...secrets, clus_unknown: createAgentSecret() }, often)
  })

  test('a second agent of the same cluster does no harm', async () => {
    for (const max_machines of [9, 2, 5]) {
      const { etag } = await change({ max_machines })
      await machines(max_machines)
      expect((await read()).etag).toBe(etag)
    }
  })

  test('says once that it is not let in for a cluster, and holds the other ones', async () => {
    const other = running.dev.other_cluster_id
    await running.sql`update compute.clusters set machines = 0 where id = ${other}`
    await waitUntil('ten machines', async () => {
      const [row] = await running.sql`select machines from compute.clusters where id = ${other}`
      return row?.machines === 10
    })
    const refusals = lines.filter(line => line.includes('the bus refuses the agent'))
    expect(refusals).toHaveLength(1)
    expect(refusals[0]).toContain('clus_unknown')
  })
})
