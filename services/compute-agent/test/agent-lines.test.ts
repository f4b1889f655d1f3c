// The lines that come with a new secret: what they set is what the agent reads, and a shell runs them as they are.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { agentLines } from '@svc/contract/compute/agent-lines'
import { readConfig } from '@svc/runtime/config'
import { createAgentSecret } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { agentConfig } from '../src/config.ts'

const cluster_id = newId('clus')
const secret = createAgentSecret()
const filled = agentLines({ cluster_id, secret }).map(
  ([where, lines]) =>
    [
      where,
      lines.replaceAll('BUS', 'bus').replaceAll('NAMESPACE/MACHINE_DEPLOYMENT', 'pools/workers'),
    ] as const,
)

test.each(filled)('%s: a shell reads the lines without an error', (_, lines) => {
  execFileSync('sh', ['-n'], { input: lines })
})

test.each(filled.filter(([where]) => where !== 'Kubernetes'))(
  '%s: the agent starts with the variables',
  (_, lines) => {
    const env = Object.fromEntries(
      [...lines.matchAll(/(?<![\w])([A-Z][A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    )
    const config = readConfig(agentConfig, env as Record<string, string>)
    expect(config.AGENT_SECRETS.get(cluster_id)).toBe(secret)
    expect(config.CLUSTERS).toEqual([
      { cluster_id, machineDeployment: { namespace: 'pools', name: 'workers' } },
    ])
    expect(config.DRIVER).toBe('cluster-api')
  },
)

test('Kubernetes: the Secret and the Deployment are those of the component', () => {
  const file = new URL(
    '../../../deploy/kubernetes/components/compute-agent/compute-agent.yaml',
    import.meta.url,
  )
  const manifest = readFileSync(file, 'utf8')
  expect(manifest).toContain('secretRef: { name: compute-agent }')
  expect(manifest).toMatch(/kind: Deployment\nmetadata:\n {2}name: compute-agent/)
})

test('what is neither an id nor a secret gets into no line', () => {
  expect(() => agentLines({ cluster_id: "clus_1'; reboot; '", secret })).toThrow()
  expect(() => agentLines({ cluster_id, secret: '$(reboot)' })).toThrow()
})
