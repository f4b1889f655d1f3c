// A program that was allowed little and wants more: by its JWTs, by what it can create, by other workspaces, by the
// pages, and by staying longer.
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { maskOf, type Permission, permissions } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { newJob } from '@svc/testing/ci-runs'
import { forFile } from '@svc/testing/for-file'
import { forgetCachedAnswers } from '@svc/testing/forget-cached-answers'
import { insertMember } from '@svc/testing/members'
import { joinProduct } from '@svc/testing/stack/join-product'
import { requester } from '@svc/testing/stack/driven-stack'
import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'

const product = forFile(joinProduct)
let close: () => Promise<void>
let asGateway: CallBus
beforeAll(async () => {
  const bus = await connectBus(product.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  asGateway = createCall(bus)
  close = () => bus.close()
})
afterAll(() => close())

const program = { caller: { kind: 'internal', id: 'test' } } as const

/** A session of an owner with these permissions alone, bound to the demo's workspace. */
async function newDevice(granted: readonly Permission[]) {
  const { backoffice, dev, sql } = product
  const user = newId('user')
  await sql`insert into auth_tokens.users (id, email) values (${user}, ${`${user}@devices.example`})`
  await insertMember(sql, { workspace: dev.workspace_id, user, role: 'owner' })
  const { id, token } = await invoke(backoffice, authTokens, 'create_session', {
    ...program,
    body: { user_id: user },
  })
  await sql`
    update auth_tokens.sessions set workspace_id = ${dev.workspace_id}, can = ${maskOf(granted)} where id = ${id}`
  return { id, user, token }
}

async function outcome(
  method: string,
  path: string,
  credential: string,
  options: object = {},
): Promise<number> {
  const { status, answer } = await requester<{ errors?: { code: number }[] }>(product.baseUrls[0] ?? '')(
    method,
    path,
    credential,
    options,
  )
  return answer?.errors?.[0]?.code ?? status
}

async function jwtOf(token: string, scope?: Permission[]): Promise<string> {
  const body = { hash: hashCredential(token), ...(scope && { scope }) }
  const answer = await invoke(asGateway, authTokens, 'exchange_session', { ...program, body })
  if (answer.outcome !== 'issued') throw new Error(answer.outcome)
  return answer.access_token
}

test('a JWT with another scope than was signed is no credential', async () => {
  const { token } = await newDevice(['offers:read'])
  const jwt = await jwtOf(token)
  const [header = '', , signature = ''] = jwt.split('.')
  const { scope: _, ...unscoped } = decodeJwt(jwt)
  const { privateKey } = await generateKeyPair('ES256')
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const forged = await Promise.all(
    [unscoped, { ...unscoped, scope: permissions.join(' ') }, { ...unscoped, scope: 'account' }].flatMap(
      claims => [
        [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.'),
        new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid }).sign(privateKey),
      ],
    ),
  )
  for (const one of forged) expect(await outcome('GET', '/offers', one)).toBe(40102)
  expect(await outcome('GET', '/offers', jwt)).toBe(200)
})

test('what may create credentials creates none that may more', async () => {
  const { token } = await newDevice(['api_tokens:read', 'api_tokens:write'])
  const create = (more: object) => outcome('POST', '/api_tokens', token, { body: { name: 'n', ...more } })
  expect(await create({})).toBe(40307)
  expect(await create({ permissions: ['offers:read'] })).toBe(40307)
  expect(await create({ permissions: ['api_tokens:read'] })).toBeOneOf([201, 40104])
  expect(await outcome('POST', '/workspaces', token, { body: { name: 'n' } })).toBe(40307)
  await expect(jwtOf(token, ['offers:read'])).rejects.toThrow('invalid_scope')
})

test('what is allowed for a time creates nothing that goes on after it', async () => {
  const { dev, sql } = product
  const { id, user, token } = await newDevice(['api_tokens:read', 'api_tokens:write'])
  const permitted = { name: 'n', permissions: ['api_tokens:read'] }
  const own = await requester<{ id: string }>(product.baseUrls[0] ?? '')('POST', '/api_tokens', token, {
    body: permitted,
  })
  expect(own.status).toBe(201)
  const end = Math.floor(Date.now() / 1000) + 3600
  await sql`update auth_tokens.sessions set ends_at = to_timestamp(${end}) where id = ${id}`
  await forgetCachedAnswers(sql)
  const { trust } = newJob()
  const { token: whole } = await invoke(product.backoffice, authTokens, 'create_session', {
    ...program,
    body: { user_id: user },
  })
  const scoped = await jwtOf(whole, ['api_tokens:write', 'api_tokens:read'])
  const at = { workspace: dev.workspace_id }
  for (const credential of [token, await jwtOf(token), scoped]) {
    const send = (method: string, path: string, body: object) =>
      outcome(method, path, credential, { ...at, body })
    expect(await send('POST', '/api_tokens', permitted)).toBe(40305)
    expect(await send('POST', '/api_tokens', { ...permitted, expires_at: end + 1 })).toBe(40305)
    expect(await send('POST', `/api_tokens/${own.answer?.id}/rotate`, {})).toBe(40305)
    expect(await send('PATCH', `/api_tokens/${own.answer?.id}`, { permissions: ['api_tokens:write'] })).toBe(
      40305,
    )
    expect(await send('PATCH', `/api_tokens/${own.answer?.id}`, { name: 'renamed' })).toBe(200)
    expect(await send('POST', '/ci_trusts', { ...trust, permissions: ['api_tokens:read'] })).toBe(40305)
  }
  const until = { body: { ...permitted, expires_at: end } }
  expect(await outcome('POST', '/api_tokens', token, until)).toBe(201)
  expect(await outcome('POST', '/api_tokens', await jwtOf(whole), { ...at, body: permitted })).toBe(201)
})

test('a JWT with a scope neither ends its session nor asks for, or replaces, its confirmation', async () => {
  const { user, token } = await newDevice(['offers:read'])
  const { token: whole } = await invoke(product.backoffice, authTokens, 'create_session', {
    ...program,
    body: { user_id: user },
  })
  for (const jwt of [await jwtOf(token), await jwtOf(whole, ['offers:read'])]) {
    expect(await outcome('GET', '/sessions', jwt)).toBe(200)
    expect(await outcome('POST', '/sessions/current/confirmation', jwt)).toBe(40307)
    expect(await outcome('DELETE', '/sessions/current', jwt)).toBe(40307)
  }
  for (const credential of [token, await jwtOf(whole)]) {
    expect(await outcome('POST', '/sessions/current/confirmation', credential)).toBe(201)
    expect(await outcome('DELETE', '/sessions/current', credential)).toBe(204)
  }
})

test('a bound session reaches no other workspace, by header, by path or by its JWT', async () => {
  const { token, user } = await newDevice(permissions)
  const other = product.dev.other_workspace_id
  await insertMember(product.sql, { workspace: other, user, role: 'owner' })
  for (const credential of [token, await jwtOf(token)]) {
    expect(await outcome('GET', '/offers', credential, { workspace: other })).toBe(40302)
    expect(await outcome('GET', `/workspaces/${other}/members`, credential)).toBe(40303)
    expect(await outcome('GET', `/workspaces/${other}/members`, credential, { workspace: other })).toBe(40303)
    expect(await outcome('DELETE', `/workspaces/${other}`, credential)).toBe(40303)
  }
})

test('a restricted session that may place no order is nobody at the link of an offer, whoever it is for', async () => {
  const { dev, sql } = product
  const request = requester<{ short_hash: string; offer: object | null }>(product.baseUrls[0] ?? '')
  const { id, user, token } = await newDevice(['offers:read', 'orders:read'])
  await sql`update auth_tokens.users set verified_at = now() where id = ${user}`
  const { answer } = await request('POST', '/offers', dev.api_token, {
    body: { product_id: dev.product_id, allowed_emails: [`${user}@devices.example`] },
    headers: { 'idempotency-key': user },
  })
  const link = `/i/${answer?.short_hash}`
  const anonymous = await fetch(`${product.baseUrls[0]}${link}`)
  const shown = await anonymous.json()
  expect(shown).toMatchObject({ sign_in_required: true, offer: null })
  for (const credential of [token, await jwtOf(token)])
    expect((await request('GET', link, credential)).answer).toEqual(shown)
  await sql`update auth_tokens.sessions set can = ${maskOf(['orders:write'])} where id = ${id}`
  await forgetCachedAnswers(sql)
  expect((await request('GET', link, token)).answer).toMatchObject({ offer: {} })
})

test('a restricted session approves no device, by the pages or by the bus', async () => {
  const { id, user, token } = await newDevice(permissions)
  const cookie = `__Host-svc_session=${token}`
  const page = await fetch(new URL('/device', product.baseUrls[0]), {
    headers: { cookie },
    redirect: 'manual',
  })
  expect(page.headers.get('location')).toMatch(/^\/sign-in/)
  const caller = { kind: 'session', id, user, can: maskOf(permissions) } as const
  const asked = [
    invoke(asGateway, authTokens, 'enter_user_code', {
      caller,
      body: { user_code_hash: hashCredential('x') },
    }),
    invoke(asGateway, authTokens, 'decide_device_grant', {
      caller,
      body: { grant_id: newId('grant'), decision: 'approved' },
    }),
  ]
  await Promise.all(asked.map(one => expect(one).rejects.toMatchObject({ status: 403 })))
})

test('a session whose time is over is no credential, whatever moved its expiry, nor are its JWTs', async () => {
  const { id, token } = await newDevice(['offers:read'])
  const jwt = await jwtOf(token)
  for (const credential of [token, jwt]) expect(await outcome('GET', '/offers', credential)).toBe(200)
  await product.sql`
    update auth_tokens.sessions set ends_at = now() - interval '1 second', expires_at = now() + interval '30 days'
    where id = ${id}`
  await forgetCachedAnswers(product.sql)
  for (const credential of [token, jwt]) expect(await outcome('GET', '/offers', credential)).toBe(40102)
  await expect(jwtOf(token)).rejects.toThrow('invalid_session')
})
