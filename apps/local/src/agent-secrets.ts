import type { CallBus } from '@svc/bus/call'
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'

/**
 * Creates a new secret for the agent of each cluster, by cluster id. Earlier ones become invalid. `call` is the
 * operator's.
 */
export async function newAgentSecrets(
  call: CallBus,
  clusters: readonly { readonly id: string; readonly workspace: string }[],
): Promise<Record<string, string>> {
  const made = clusters.map(async ({ id, workspace }) => {
    const caller = { kind: 'internal', id: 'operator', workspace } as const
    const { secret } = await invoke(call, compute, 'create_agent_secret', { caller, params: { id } })
    return [id, secret] as const
  })
  return Object.fromEntries(await Promise.all(made))
}

export const agentEnv = (secrets: Readonly<Record<string, string>>): Record<string, string> => ({
  CLUSTERS: Object.keys(secrets).join(),
  AGENT_SECRETS: Object.entries(secrets)
    .map(([cluster, secret]) => `${cluster}=${secret}`)
    .join(),
})
