// The agent of a cluster, as it comes to the bus.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, type BusConfig, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import type { AgentCaller } from '@svc/contract/core/caller'
import { compute } from '@svc/contract/compute/compute'
import { newAgentSecrets } from '@svc/local/agent-secrets'
import { agentKey } from '@svc/runtime/credential'

const silent = { info() {}, warn() {}, error() {} }

export interface TestAgent {
  readonly bus: Bus
  readonly call: CallBus
  readonly caller: AgentCaller
  readonly secret: string
  settings(): Promise<{ machines: number; max_machines: number; etag: string }>
  report(machines: number): Promise<{ machines: number }>
}

/** What an agent with this secret finds in its environment. */
export const agentAccess = (natsUrl: string, cluster: string, secret: string): BusConfig => ({
  NATS_URL: natsUrl,
  NATS_USER: cluster,
  NATS_PASSWORD: secret,
})

/** Gives the cluster's agent a new secret, and connects with it. */
export async function connectAgent(
  { natsUrl, backoffice }: { readonly natsUrl: string; readonly backoffice: CallBus },
  cluster: { readonly id: string; readonly workspace: string },
): Promise<TestAgent> {
  const { [cluster.id]: secret = '' } = await newAgentSecrets(backoffice, [cluster])
  const bus = await connectBus(agentAccess(natsUrl, cluster.id, secret), silent)
  const call = createCall(bus)
  const caller = { kind: 'agent', cluster: cluster.id, id: agentKey(secret) } as const
  return {
    bus,
    call,
    caller,
    secret,
    settings: () => invoke(call, compute, 'get_agent_settings', { caller }),
    report: machines => invoke(call, compute, 'report_machines', { caller, body: { machines } }),
  }
}
