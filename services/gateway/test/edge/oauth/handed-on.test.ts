// What a JWT may that was exchanged for a session or an API token, and until when: docs/specification.md, R88.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { type Permission, permissions } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { waitUntil } from '@svc/local/wait-until'
import { forgetCachedAnswers } from '@svc/testing/forget-cached-answers'
import { joinProduct } from '@svc/testing/stack/join-product'
import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { accessTokenType, expectOauthError, oauthScene, tokenExchangeGrant } from './oauth-scene.ts'

const scene = oauthScene(joinProduct)

interface Narrowed {
  permissions?: Permission[]
  allowed_addresses?: string[]
}

const newToken = (narrowed: Narrowed = {}) =>
  invoke(scene.stack.backoffice, authTokens, 'create_api_token', {
    caller: { kind: 'internal', id: 'test', workspace: scene.stack.dev.workspace_id },
    body: { name: 'subject', ...narrowed },
  })

const exchange = (subject_token: string, scope?: string) =>
  scene.post('/oauth/token', {
    grant_type: tokenExchangeGrant,
    subject_token,
    subject_token_type: accessTokenType,
    ...(scope !== undefined && { scope }),
  })

async function jwtOf(subject: string, scope?: string): Promise<string> {
  const { status, body } = await exchange(subject, scope)
  expect(status).toBe(200)
  return String(body.access_token)
}

/** Status, or code of the refusal. */
async function outcome(token: string, path: string, { method = 'GET', at = 0, context = '' } = {}) {
  const headers = { authorization: `Bearer ${token}`, ...(context && { 'svc-context': context }) }
  const { status, body } = await scene.send(`/v1${path}`, { method, headers }, at)
  return (body?.errors as { code: number }[] | undefined)?.[0]?.code ?? status
}

const asOwner = (path: string, method: string) =>
  scene.send(`/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${scene.stack.dev.owner.session_token}`,
      'svc-context': scene.stack.dev.workspace_id,
    },
  })

test('the JWT of an API token acts as the token, without what members may not', async () => {
  const { id, token } = await newToken()
  const { body } = await exchange(token)
  const scope = permissions.filter(name => name !== 'audit_log:read').join(' ')
  expect(body).toMatchObject({ scope, expires_in: 600 })
  const jwt = String(body.access_token)
  expect(decodeJwt(jwt)).toMatchObject({ sub: id, token_hash: hashCredential(token), scope })
  expect(jwt).not.toContain(token)
  expect(await outcome(jwt, '/offers')).toBe(200)
  expect(await outcome(jwt, '/user')).toBe(40305)
  expect(await outcome(jwt, '/api_tokens', { method: 'POST' })).toBe(40304)
  expect(await outcome(jwt, '/audit_log')).toBe(40304)
  expect(await outcome(jwt, '/offers', { context: scene.stack.dev.other_workspace_id })).toBe(40302)
})

test('a scope narrows a JWT at every use, beside others of the same subject', async () => {
  const { token } = await newToken({ permissions: ['offers:read', 'orders:read'] })
  const session = (await scene.newPerson()).token
  const [whole, offers, orders] = [
    await jwtOf(token),
    await jwtOf(token, 'offers:read'),
    await jwtOf(token, 'orders:read'),
  ]
  // Twice: looked up, and as it was kept.
  for (const _ of [1, 2]) {
    expect([await outcome(whole, '/offers'), await outcome(whole, '/orders')]).toEqual([200, 200])
    expect([await outcome(offers, '/offers'), await outcome(offers, '/orders')]).toEqual([200, 40307])
    expect([await outcome(orders, '/offers'), await outcome(orders, '/orders')]).toEqual([40307, 200])
  }
  const ofSession = await jwtOf(session, 'offers:read')
  // The name under which every release looks for a whole session.
  expect(decodeJwt(ofSession)).not.toHaveProperty('sid')
  expect(await outcome(ofSession, '/user')).toBe(40307)
  expect(await outcome(ofSession, '/sessions')).toBe(200)
  expect(await outcome(await jwtOf(session, 'account'), '/user')).toBe(200)
})

test.each<[string, Permission[] | undefined, string]>([
  ['a permission that the token lacks', ['offers:read'], 'orders:read'],
  ['one more than the token has', ['offers:read'], 'offers:read orders:read'],
  ['the account', ['offers:read'], 'account'],
  ['the account, by an unrestricted token', undefined, 'account'],
  ['what no member may, by an unrestricted token', undefined, 'audit_log:read'],
  ['what is no permission', undefined, 'offers:everything'],
])('%s is invalid_scope', async (_name, held, scope) => {
  const { token } = await newToken(held && { permissions: held })
  expectOauthError(await exchange(token, scope), [400, 'invalid_scope'])
})

test('no JWT is exchanged for another one, whatever its scope', async () => {
  const { token } = await newToken()
  for (const scope of [undefined, 'offers:read', 'account']) {
    expectOauthError(await exchange(await jwtOf(token, 'offers:read'), scope), [400, 'invalid_request'])
  }
})

test.each<[string, (id: string) => string, string]>([
  ['a revocation', id => `/api_tokens/${id}`, 'DELETE'],
  ['a rotation', id => `/api_tokens/${id}/rotate`, 'POST'],
])('%s of the token ends its JWTs at every gateway', async (_name, path, method) => {
  const { id, token } = await newToken()
  const jwt = await jwtOf(token, 'offers:read')
  for (const at of [0, 1, 0, 1]) expect(await outcome(jwt, '/offers', { at })).toBe(200)
  expect((await asOwner(path(id), method)).status).toBeLessThan(300)
  for (const at of [0, 1]) expect(await outcome(jwt, '/offers', { at })).toBe(40102)
})

test('what the token loses its JWTs lose, and what it gains they do not', async () => {
  const { id, token } = await newToken({ permissions: ['offers:read', 'audit_log:read'] })
  const [whole, offers] = [await jwtOf(token), await jwtOf(token, 'offers:read')]
  expect(await outcome(whole, '/audit_log')).toBe(200)
  const { sql } = scene.stack
  // All that a member may: less than before, and more.
  await sql`update auth_tokens.api_tokens set can = null where id = ${id}`
  await forgetCachedAnswers(sql)
  expect(await outcome(whole, '/audit_log')).toBe(40304)
  for (const jwt of [whole, offers]) {
    expect([await outcome(jwt, '/offers'), await outcome(jwt, '/orders')]).toEqual([200, 40307])
  }
})

test('the networks of a token count where it is exchanged, and where its JWT is used', async () => {
  const elsewhere = await newToken({ allowed_addresses: ['203.0.113.0/24'] })
  expectOauthError(await exchange(elsewhere.token), [400, 'invalid_request'])
  await waitUntil('the refusal to be an event', async () => {
    const { body } = await asOwner('/audit_log?limit=100', 'GET')
    const events = body.data as { aggregate_id: string; data: { reason?: string } }[]
    return events.some(
      ({ aggregate_id, data }) => aggregate_id === elsewhere.id && data.reason === 'address_refused',
    )
  })
  const here = await newToken({ allowed_addresses: ['127.0.0.0/8', '::1'] })
  const jwt = await jwtOf(here.token)
  expect(await outcome(jwt, '/offers')).toBe(200)
  const { sql } = scene.stack
  await sql`update auth_tokens.api_tokens set allowed_addresses = '{203.0.113.0/24}' where id = ${here.id}`
  await forgetCachedAnswers(sql)
  expect(await outcome(jwt, '/offers')).toBe(40308)
})
