/** What a client of the HTTP API sends and sees of compute settings. */
import { invoke } from '@svc/bus/invoke'
import { compute } from '@svc/contract/compute/compute'
import type { Product } from '@svc/testing/stack/stack'

export interface Settings {
  auto_scaling: string
  machines: number
  max_machines: number
  updated_at: number
  etag: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Parsed; the settings if the status is 200. */
  readonly body: Settings & Record<string, unknown>
}

export interface Client {
  get(cluster: string): Promise<Answer>
  patch(cluster: string, body: unknown, ifMatch?: string): Promise<Answer>
}

/** A string body is sent unchanged. */
export function settingsClient(baseUrl: string, token: string): Client {
  const send = async (cluster: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
    const response = await fetch(`${baseUrl}/clusters/${cluster}/compute_settings`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...init.headers },
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) }
  }
  return {
    get: cluster => send(cluster),
    patch: (cluster, body, ifMatch) =>
      send(cluster, {
        method: 'PATCH',
        headers: {
          'content-type': 'application/json',
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

/** A cluster of the demo workspace that no other test uses. */
export async function newCluster({ backoffice, dev }: Product, workspace = dev.workspace_id) {
  const caller = { kind: 'internal', id: 'backoffice', workspace } as const
  return (await invoke(backoffice, compute, 'create_cluster', { caller, body: { name: 'test' } })).id
}
