// API tokens that are narrowed to permissions and networks, at gateways with and without a proxy in front.
import type { Caller } from '@svc/contract/core/caller'
import type { Permission } from '@svc/contract/core/permissions'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { waitUntil } from '@svc/local/wait-until'
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMetrics } from '@svc/telemetry/metrics'
import { createRateLimits } from '../../../src/edge/limits/rate-limits.ts'
import { createTokenBuckets } from '../../../src/edge/limits/token-buckets.ts'
import { ask } from '../../answers.ts'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'

const stack = forFile(joinProduct)
let behindProxy: GatewayHere
beforeAll(async () => {
  behindProxy = await startGatewayHere(stack, { trustProxy: '127.0.0.1, 10.0.0.0/8' })
})
afterAll(() => behindProxy?.stop())

async function newToken(body: { permissions?: 'read' | Permission[]; allowed_addresses?: string[] }) {
  const caller: Caller = { kind: 'internal', id: 'test', workspace: stack.dev.workspace_id }
  return invoke(stack.backoffice, authTokens, 'create_api_token', { caller, body: { name: 'n', ...body } })
}

const asOwner = async (path: string) => {
  const { dev } = stack
  const headers = { authorization: `Bearer ${dev.owner.session_token}`, 'svc-context': dev.workspace_id }
  return JSON.parse((await ask(`${stack.baseUrls[0]}${path}`, { headers })).text)
}

async function send(token: string, path: string, { url = stack.baseUrls[0], ...more }: Sent = {}) {
  const { status, text } = await ask(`${url}${path}`, {
    headers: { authorization: `Bearer ${token}`, ...more },
  })
  const [error] = JSON.parse(text).errors ?? []
  return error ? { status, code: error.code, metadata: error.metadata } : { status }
}
type Sent = { url?: string | undefined; 'x-forwarded-for'?: string }

const refusedFrom = (address: string) => ({
  status: 403,
  code: 40308,
  metadata: expect.objectContaining({ address }),
})

describe('without TRUST_PROXY', () => {
  test.each<[string, string[]]>([
    ['the address itself', ['127.0.0.1']],
    ['a network', ['192.0.2.0/24', '127.1.2.3/8']],
    ['IPv4 in IPv6', ['::ffff:127.0.0.0/104']],
    ['all of IPv4', ['0.0.0.0/0']],
  ])('a token for %s is accepted', async (_, allowed_addresses) => {
    const { token } = await newToken({ allowed_addresses })
    for (const url of stack.baseUrls) expect(await send(token, '/offers', { url })).toEqual({ status: 200 })
  })

  test.each<[string, string[]]>([
    ['another network', ['203.0.113.0/24']],
    ['all of IPv6', ['::/0']],
    ['the address in IPv6 that is no IPv4', ['::1', '::7f00:1/128']],
  ])('a token for %s is refused, whatever X-Forwarded-For says', async (_, allowed_addresses) => {
    const { token } = await newToken({ allowed_addresses })
    for (const forged of ['203.0.113.7', '::1', '127.0.0.1, 203.0.113.7']) {
      expect(await send(token, '/offers', { 'x-forwarded-for': forged })).toEqual(refusedFrom('127.0.0.1'))
    }
  })
})

describe('behind a proxy that TRUST_PROXY names', () => {
  const at = (address: string) => ({ url: `${behindProxy.url}/v1`, 'x-forwarded-for': address })

  test('the address counts that the proxy saw, in any spelling', async () => {
    const { token } = await newToken({ allowed_addresses: ['::ffff:203.0.113.0/120', '2001:db8::/32'] })
    for (const address of [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '[2001:DB8::1]:443',
      '198.51.100.1, 203.0.113.7',
      '203.0.113.7, 10.1.1.1',
      '198.51.100.1, ::ffff:203.0.113.7, ::ffff:10.1.1.1',
    ]) {
      expect([address, await send(token, '/offers', at(address))]).toEqual([address, { status: 200 }])
    }
    expect(await send(token, '/offers', at('203.0.114.7'))).toEqual(refusedFrom('203.0.114.7'))
    for (const forged of [
      '203.0.113.7, 198.51.100.1',
      '203.0.113.7, 198.51.100.1, 10.1.1.1',
      '203.0.113.7, ::ffff:198.51.100.1, 10.1.1.1',
    ]) {
      expect(await send(token, '/offers', at(forged))).toEqual(refusedFrom('198.51.100.1'))
    }
    expect(await send(token, '/offers', { url: `${behindProxy.url}/v1` })).toEqual(refusedFrom('127.0.0.1'))
  })
})

test('a token from elsewhere spends nothing of its workspace, and many refusals of an address wait', async () => {
  const burst = 3
  const workspace = createTokenBuckets({ perSecond: 0.001, burst, now: () => 0 })
  const rateLimits = createRateLimits({ workspace }, createMetrics())
  const { url, stop } = await startGatewayHere(stack, { rateLimits })
  try {
    const at = { url: `${url}/v1` }
    const { token } = await newToken({ allowed_addresses: ['203.0.113.0/24'] })
    const { token: own } = await newToken({ allowed_addresses: ['127.0.0.1'] })
    const tries = Array.from({ length: 22 }, () => send(token, '/offers', at))
    expect(await Promise.race(tries)).toEqual(refusedFrom('127.0.0.1'))
    expect(workspace.level(stack.dev.workspace_id)).toBe(burst)
    expect(await send(own, '/offers', at)).toEqual({ status: 200 })
    expect(workspace.level(stack.dev.workspace_id)).toBe(burst - 1)
    expect(await Promise.all(tries)).toEqual(tries.map(() => refusedFrom('127.0.0.1')))
  } finally {
    await stop()
  }
})

test('the address is refused before the permission, and neither says what would be accepted', async () => {
  const { token } = await newToken({ permissions: 'read', allowed_addresses: ['203.0.113.0/24'] })
  const answer = await ask(`${stack.baseUrls[0]}/offers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(JSON.parse(answer.text).errors[0].code).toBe(40308)
  expect(answer.text).not.toContain('203.0.113')
})

test('a token that is narrowed to the audit log reads it, and nothing else', async () => {
  const { token } = await newToken({ permissions: ['audit_log:read'] })
  expect(await send(token, '/audit_log')).toEqual({ status: 200 })
  expect(await send(token, '/events')).toMatchObject({
    status: 403,
    code: 40307,
    metadata: { permission: 'events:read' },
  })
  const { token: plain } = await newToken({})
  expect(await send(plain, '/audit_log')).toMatchObject({ status: 403, code: 40304 })
})

test('what a token uses is noted at every gateway, and what it is refused for is counted by reason', async () => {
  const { id, token } = await newToken({ permissions: 'read', allowed_addresses: ['127.0.0.1', '::1'] })
  const [first, second] = stack.baseUrls
  // The second request is admitted by what the gateway keeps.
  for (let n = 0; n < 2; n++) expect(await send(token, '/offers', { url: first })).toEqual({ status: 200 })
  expect(await send(token, '/orders', { url: second })).toEqual({ status: 200 })
  for (let n = 0; n < 3; n++) {
    const refused = await ask(`${first}/offers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect(refused.status).toBe(403)
  }
  const may: Permission[] = ['workspace:read', 'clusters:read', 'events:read', 'offers:read']
  const { id: searching, token: searcher } = await newToken({ permissions: may })
  expect(await send(searcher, '/search?q=a')).toEqual({ status: 200 })
  const { id: elsewhere, token: other } = await newToken({ allowed_addresses: ['203.0.113.0/24'] })
  expect(await send(other, '/offers')).toEqual(refusedFrom('127.0.0.1'))

  await waitUntil('the permissions that it used', async () => {
    const { used_permissions } = await asOwner(`/api_tokens/${id}`)
    return used_permissions.length === 2
  })
  expect((await asOwner(`/api_tokens/${id}`)).used_permissions).toEqual(['offers:read', 'orders:read'])
  expect((await asOwner(`/api_tokens/${elsewhere}`)).used_permissions).toEqual([])
  await waitUntil('the permissions of what it searched', async () => {
    const { used_permissions } = await asOwner(`/api_tokens/${searching}`)
    return used_permissions.length > 0
  })
  expect((await asOwner(`/api_tokens/${searching}`)).unused_permissions).toEqual(['events:read'])

  const refusals = async (of: string) => {
    const { data } = await asOwner(`/audit_log?type=api_tokens.refused&limit=100`)
    return (data as { aggregate_id: string; data: { reason: string; count: number } }[])
      .filter(event => event.aggregate_id === of)
      .map(event => event.data)
  }
  await waitUntil('the refusals in the audit log', async () => (await refusals(elsewhere)).length > 0)
  // Those of a moment later are in another event.
  const total = async () => (await refusals(id)).reduce((sum, { count }) => sum + count, 0)
  await waitUntil('the refusals in the audit log', async () => (await total()) >= 3)
  expect(await refusals(elsewhere)).toMatchObject([{ reason: 'address_refused', count: 1 }])
  expect(await total()).toBe(3)
  expect(new Set((await refusals(id)).map(({ reason }) => reason))).toEqual(new Set(['permission_missing']))
  expect((await asOwner(`/api_tokens/${elsewhere}`)).last_used_at).toBeNull()
})
