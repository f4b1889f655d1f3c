// The agent as a process with the driver for Cluster API: from PATCH to the MachineDeployment, and back to the settings.
import { forFile } from '@svc/testing/for-file'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changeComputeSettings, type Client, createClient } from '@svc/client'
import { agentEnv, newAgentSecrets } from '@svc/local/agent-secrets'
import { createAgentSecret } from '@svc/runtime/credential'
import { waitUntil } from '@svc/local/wait-until'
import { type Program, programs } from '@svc/local/programs'
import { joinProduct } from '@svc/testing/stack/join-product'
import { showOnFailure } from '@svc/testing/recent-lines'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxSize, minSize } from '../src/machine-deployment.ts'
import { startApiServer, token } from './api-server.ts'

let running: Product
const lines: string[] = []
const agents: Program[] = []
const server = forFile(startApiServer)
let folder: string
let client: Client

beforeAll(async () => {
  server.put('blue', { replicas: 12 })
  folder = await mkdtemp(join(tmpdir(), 'svc-kube-'))
  const kubeconfig = join(folder, 'config')
  await writeFile(
    kubeconfig,
    JSON.stringify({
      'current-context': 'test',
      clusters: [{ name: 'test', cluster: { server: server.url, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'agent', user: { token } }],
      contexts: [{ name: 'test', context: { cluster: 'test', user: 'agent' } }],
    }),
  )
  running = await joinProduct()
  const { base_url: baseUrl, api_token, cluster_id, workspace_id } = running.dev
  client = createClient({ baseUrl, token: api_token })
  const secrets = await newAgentSecrets(running.backoffice, [{ id: cluster_id, workspace: workspace_id }])
  const env = {
    ...agentEnv(secrets),
    DRIVER: 'cluster-api',
    KUBECONFIG: kubeconfig,
    MIN_MACHINES: '2',
    RECONCILE_EVERY_SECONDS: '600',
  }
  await Promise.all([1, 2].map(() => startAgent({ ...env, CLUSTERS: `${cluster_id}=pools/blue` })))
})
afterAll(async () => {
  await Promise.all(agents.map(agent => agent.stop()))
  await running?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function startAgent(env: Record<string, string>) {
  const start = programs({
    bus: () => ({ NATS_URL: running.stack.natsUrl }),
    publicUrl: '',
    onLine: line => lines.push(line),
    options: {},
  })
  const agent = await start('compute-agent', 'compute-agent', env)
  agents.push(agent)
  await agent.untilReady()
}
showOnFailure(() => lines)

const settings = async () =>
  (await client.compute.get_compute_settings({ params: { id: running.dev.cluster_id } })).body
const blue = () => {
  const { metadata, spec } = server.get('blue')
  return {
    replicas: spec.replicas,
    min: metadata.annotations?.[minSize],
    max: metadata.annotations?.[maxSize],
  }
}
const wanted = (state: object) =>
  waitUntil('the MachineDeployment', () => JSON.stringify(blue()) === JSON.stringify({ ...blue(), ...state }))

test('settings reach the MachineDeployment, machines reach the settings, and two agents write what one would', async () => {
  await wanted({ replicas: 10, min: '2', max: '10' })
  await waitUntil('the report', async () => (await settings()).machines === 12)
  const { etag } = await settings()
  // Its controllers drain it, one by one.
  for (let replicas = 11; replicas >= 10; replicas--) server.change('blue', { status: { replicas } })
  await waitUntil('the report', async () => (await settings()).machines === 10)
  expect((await settings()).etag).toBe(etag)

  await changeComputeSettings(client, running.dev.cluster_id, () => ({ max_machines: 20 }))
  await wanted({ replicas: 10, min: '2', max: '20' })
  // The autoscaler has work for more.
  server.change('blue', { spec: { replicas: 15 }, status: { replicas: 15 } })
  await waitUntil('the report', async () => (await settings()).machines === 15)
  await changeComputeSettings(client, running.dev.cluster_id, () => ({ auto_scaling_enabled: false }))
  await waitUntil('no bounds', () => blue().min === undefined && blue().max === undefined)
  expect(blue().replicas).toBe(15)
  await changeComputeSettings(client, running.dev.cluster_id, () => ({ max_machines: 4 }))
  await wanted({ replicas: 4 })
  // Each change is written once, and the other agent's attempt is refused at most.
  const patches = server.requests.filter(request => request.startsWith('PATCH')).length
  expect(patches).toBeGreaterThanOrEqual(4)
  expect(patches).toBeLessThanOrEqual(8)
})

test('an API server that was away finds what was changed meanwhile', async () => {
  await server.stop()
  await changeComputeSettings(client, running.dev.cluster_id, () => ({ max_machines: 3 }))
  await waitUntil('the report', () => lines.some(line => line.includes('does not follow its settings')))
  await server.restart()
  await waitUntil('the drain', () => blue().replicas === 3)
})

test('a cluster without a MachineDeployment is said at the start', async () => {
  const started = startAgent({
    DRIVER: 'cluster-api',
    CLUSTERS: 'clus_1',
    AGENT_SECRETS: `clus_1=${createAgentSecret()}`,
  })
  await expect(started).rejects.toThrow()
  expect(lines.join('\n')).toContain('CLUSTERS: say where each is, as clus_…=<namespace>/<name>')
})
