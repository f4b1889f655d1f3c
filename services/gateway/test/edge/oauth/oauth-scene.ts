/** A stack of two gateways and two replicas of auth-tokens, and the steps of a device flow. */
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Permission } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { createLog } from '@svc/runtime/log'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect } from 'vitest'

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const tokenExchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'
export const form = 'application/x-www-form-urlencoded'

export interface OauthAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The text parsed as JSON; undefined for an empty one. */
  readonly body: Record<string, unknown>
}

export interface Started {
  device_code: string
  user_code: string
}

/** What the person chooses when they approve. */
export interface Less {
  readonly permissions?: Permission[]
  readonly workspace_id?: string
  readonly expires_in?: number
}

type Parameters = Record<string, string> | [string, string][]
interface PostOptions {
  /** Which gateway. */
  readonly at?: number
  readonly headers?: Record<string, string>
}
export type Person = { readonly kind: 'session'; readonly id: string; readonly user: string }

/** One scene per test file. At the end the logs must not contain internal errors. */
export function oauthScene<Running extends Product>(running: () => Promise<Running>) {
  let stack: Running
  let bus: Bus
  let call: CallBus
  beforeAll(async () => {
    stack = await running()
    bus = await connectBus(stack.stack.bus('tests'), createLog('test', 'silent'))
    call = createCall(bus)
  })
  afterAll(async () => {
    const faults = stack?.lines.filter(line => /"level":(50|60)/.test(line))
    await bus?.close()
    await stack?.stop()
    expect(faults).toEqual([])
  })

  const base = (at = 0) => stack.stack.gateways[at]?.url ?? ''

  async function send(path: string, init: RequestInit, at = 0): Promise<OauthAnswer> {
    const response = await fetch(`${base(at)}${path}`, init)
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json ? JSON.parse(text) : undefined,
    }
  }
  const post = (path: string, parameters: Parameters, { at, headers }: PostOptions = {}) =>
    send(
      path,
      {
        method: 'POST',
        headers: { 'content-type': form, ...headers },
        body: String(new URLSearchParams(parameters)),
      },
      at,
    )

  async function start(
    headers: Record<string, string> = {},
    asked: Record<string, string> = {},
  ): Promise<Started> {
    const form = { client_id: 'svc-cli', ...asked }
    const { status, body } = await post('/oauth/device_authorization', form, { headers })
    expect(status).toBe(200)
    return body as unknown as Started
  }
  const poll = ({ device_code }: { device_code: string }, at = 0, client_id = 'svc-cli') =>
    post('/oauth/token', { grant_type: deviceCodeGrant, device_code, client_id }, { at })

  async function newPerson(): Promise<Person & { token: string }> {
    const caller = { kind: 'internal', id: 'test' } as const
    const user = newId('user')
    await stack.sql`
      insert into auth_tokens.users (id, email, password_hash) values (${user}, ${`${user}@test.example`}, '-')`
    const { id, token } = await invoke(call, authTokens, 'create_session', {
      caller,
      body: { user_id: user },
    })
    return { kind: 'session', id, user, token }
  }
  const enter = ({ user_code }: Started, { kind, id, user }: Person) =>
    invoke(call, authTokens, 'enter_user_code', {
      caller: { kind, id, user },
      body: { user_code_hash: hashCredential(user_code.replace('-', '')) },
    })
  async function decide(
    grant: Started,
    { kind, id, user }: Person,
    decision: 'approved' | 'denied',
    less: Less = {},
  ) {
    const entered = await enter(grant, { kind, id, user })
    if (entered.outcome !== 'found') throw new Error(entered.outcome)
    const body = { grant_id: entered.grant.id, decision, ...less }
    return invoke(call, authTokens, 'decide_device_grant', { caller: { kind, id, user }, body })
  }
  /** The status for a session token: 200, or 401 if it is unknown. */
  const whoIs = async (token: string) =>
    (await send('/v1/sessions', { headers: { authorization: `Bearer ${token}` } })).status

  return {
    get stack() {
      return stack
    },
    get call() {
      return call
    },
    base,
    send,
    post,
    start,
    poll,
    newPerson,
    enter,
    decide,
    whoIs,
  }
}

/** RFC 6749, 5.2 and 5.1: an error in OAuth's own shape, which must not be cached. */
export function expectOauthError({ status, headers, body }: OauthAnswer, expected: [number, string]) {
  expect([status, body?.error]).toEqual(expected)
  expect(Object.keys(body)).toEqual(['error', 'error_description'])
  expect(body.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('pragma')).toBe('no-cache')
  expect(headers.get('svc-request-id')).toMatch(/^req_/)
  expect(headers.has('www-authenticate')).toBe(status === 401)
  if (status === 429 || status === 503) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
}
