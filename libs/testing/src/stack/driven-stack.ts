/** A running product, and the ways in which a test makes it work. */
import type { CallBus } from '@svc/bus/call'
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import type { DevFile } from '@svc/local/seed-demo'
import type { Product } from './stack.ts'
import type postgres from 'postgres'

export interface DrivenStack {
  /** With the secrets, links of mails are followed, too. */
  readonly stack: Pick<Product['stack'], 'bus' | 'gateways' | 'natsUrl'> &
    Partial<Pick<Product['stack'], 'secrets'>>
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

interface RequestOptions {
  readonly body?: object | undefined
  readonly headers?: Record<string, string>
  readonly workspace?: string
}

/** Sends what is given, and says what came back. */
export const requester =
  <Answer extends Record<string, unknown> = Record<string, unknown>>(baseUrl: string) =>
  async (method: string, path: string, credential: string, options: RequestOptions = {}) => {
    const { body, headers, workspace } = options
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
    const answer = (text ? JSON.parse(text) : {}) as Answer
    return { status: response.status, answer, requestId: response.headers.get('svc-request-id') }
  }

interface SendOptions extends RequestOptions {
  /** 2xx unless given. */
  readonly status?: number
}

/** @throws Error for another status than the one wanted */
export const sender =
  <Answer extends Record<string, unknown> = Record<string, unknown>>(baseUrl: string) =>
  async (
    method: string,
    path: string,
    credential: string,
    { status: wanted, ...options }: SendOptions = {},
  ) => {
    const { status, answer } = await requester<Answer>(baseUrl)(method, path, credential, options)
    if (wanted === undefined ? status >= 300 : status !== wanted)
      throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
    return answer
  }

/** Terms for channels that are made on the way. */
export const policy: ChannelPolicy = {
  approval: 'automatic',
  checkout: 'none',
  support: null,
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  grace_days: 7,
  pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 },
  allow_non_billable_test: true,
  default_commercial_mode: 'paid',
}
