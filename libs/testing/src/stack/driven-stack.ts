/** A running product, and the ways in which a test makes it work. */
import type { CallBus } from '@svc/bus/call'
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import type { DevFile } from '@svc/local/seed-demo'
import type { Product } from './stack.ts'
import type postgres from 'postgres'

export interface DrivenStack {
  readonly stack: Pick<Product['stack'], 'bus' | 'gateways' | 'natsUrl'>
  readonly dev: Pick<
    DevFile,
    'workspace_id' | 'api_token' | 'owner' | 'member' | 'package_version_id' | 'cluster_id'
  >
  /** The administrator's connection. */
  readonly sql: postgres.Sql
}

export interface Driven extends Pick<DrivenStack, 'dev' | 'sql'> {
  readonly baseUrl: string
  readonly natsUrl: string
  readonly backoffice: CallBus
  readonly gateway: CallBus
}

export const caller = (workspace?: string) => ({
  caller: { kind: 'internal', id: 'backoffice', workspace } as const,
})

interface SendOptions {
  readonly body?: object
  readonly headers?: Record<string, string>
  readonly workspace?: string
  /** 2xx unless given. */
  readonly status?: number
}

export const sender =
  (baseUrl: string) =>
  async (method: string, path: string, credential: string, options: SendOptions = {}) => {
    const { body, headers, workspace, status } = options
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      body: body && JSON.stringify(body),
      headers: {
        authorization: `Bearer ${credential}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(workspace && { 'svc-context': workspace }),
        ...headers,
      },
    })
    const text = await response.text()
    const expected =
      status === undefined ? response.ok || response.status === 201 : response.status === status
    if (!expected) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text ? JSON.parse(text) : {}) as Record<string, unknown>
  }

/** Terms for channels that are made on the way. */
export const policy: ChannelPolicy = {
  approval: 'automatic',
  checkout: 'none',
  support: null,
  pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 },
  allow_non_billable_test: true,
  default_commercial_mode: 'paid',
}
