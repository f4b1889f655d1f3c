// RFC 8628 over HTTP, by its sections. The grant itself: services/auth-tokens/test/device-grant; its pages: device-pages.test.ts; what
// all OAuth endpoints refuse: oauth-refusals.test.ts.
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, test } from 'vitest'
import { deviceCodeGrant, expectOauthError, oauthScene } from './oauth-scene.ts'

const scene = oauthScene(joinProduct)
const { post, send, start, poll, newPerson, decide, enter } = scene

const authorize = '/oauth/device_authorization'
const client_id = 'svc-cli'

test('RFC 8628, 3.1: a scope of permissions, or the whole account, is taken, and any other refused', async () => {
  for (const scope of ['account', 'offers:read', 'orders:read offers:read offers:read']) {
    expect((await post(authorize, { client_id, scope })).status).toBe(200)
  }
  const odd = [
    'openid',
    'a\\b',
    'offers:read ',
    ' offers:read',
    'offers:read  orders:read',
    'offers:read\torders:read',
  ]
  const more = [
    'OFFERS:READ',
    'offers:read,orders:read',
    'account offers:read',
    'offers:*',
    'offers:re\u00ad\u0061d',
  ]
  for (const scope of [...odd, ...more, 'offers:read\u00a0orders:read', 'offers：read', '__proto__']) {
    expectOauthError(await post(authorize, { client_id, scope }), [400, 'invalid_scope'])
  }
})

test.each([
  [{ workspace_id: 'nope' }],
  [{ workspace_id: `ws_${'0'.repeat(51)}` }],
  [{ expires_in: '59' }],
  [{ expires_in: '8h' }],
  [{ expires_in: '1e9' }],
  [{ expires_in: '99999999' }],
])('a malformed limit is refused: %o', async asked => {
  expectOauthError(await post(authorize, { client_id, ...asked }), [400, 'invalid_request'])
})

test('RFC 8628, 3.1: a parameter without a value counts as left out', async () => {
  expectOauthError(await post(authorize, { client_id: '' }), [400, 'invalid_request'])
  expect((await post(authorize, { client_id, scope: '', client_secret: '' })).status).toBe(200)
})

test('RFC 8628, 3.1: a parameter given more than once is refused', async () => {
  const twice: [string, string][] = [
    ['client_id', client_id],
    ['client_id', client_id],
  ]
  expectOauthError(await post(authorize, twice), [400, 'invalid_request'])
  const polling: [string, string][] = [['grant_type', deviceCodeGrant], ['device_code', 'x'], ...twice]
  expectOauthError(await post('/oauth/token', polling), [400, 'invalid_request'])
})

test('RFC 8628, 3.2: the answer has the codes, where to enter them, how long, and how often to ask', async () => {
  const { status, headers, body, text } = await post(authorize, { client_id })
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
  expect(headers.get('cache-control')).toBe('no-store')
  const verification_uri = `${scene.base()}/device`
  expect(body).toEqual({
    device_code: expect.stringMatching(/^\w{32}$/),
    user_code: expect.stringMatching(/^\w{4}-\w{4}$/),
    // Without the code (3.3).
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${body.user_code}`,
    expires_in: 600,
    interval: 5,
  })
  expect(text.match(/"\w+":/g)).toHaveLength(Object.keys(body).length)
  const [row] = await scene.stack.sql`
    select extract(epoch from max(expires_at - created_at))::int as lifetime from auth_tokens.device_grants`
  expect(row).toEqual({ lifetime: 600 })
})

test('RFC 8628, 3.3: the person is signed in before they are told who asks', async () => {
  const grant = await start()
  for (const path of ['/device', `/device?user_code=${grant.user_code}`]) {
    const { text } = await send(path, { redirect: 'manual' })
    expect(text).not.toContain('svc command line')
  }
})

test('RFC 8628, 3.3.1: who has entered a code has not approved yet', async () => {
  const grant = await start()
  await enter(grant, await newPerson())
  expectOauthError(await poll(grant), [400, 'authorization_pending'])
})

test('RFC 8628, 3.4: the grant type is the URN', async () => {
  const parameters = { grant_type: 'device_code', device_code: 'x', client_id }
  expectOauthError(await post('/oauth/token', parameters), [400, 'unsupported_grant_type'])
})

test('RFC 8628, 3.5: an approved code gives a token (RFC 6749, 5.1), once, at whichever gateway', async () => {
  const grant = await start()
  await decide(grant, await newPerson(), 'approved')
  const { status, body, headers } = await poll(grant, 1)
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      access_token: expect.stringMatching(/^[0-9A-Za-z]{32}$/),
      token_type: 'Bearer',
      expires_in: 30 * 86_400,
      scope: 'account',
    },
  })
  expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  expect(await scene.whoIs(String(body.access_token))).toBe(200)
  expectOauthError(await poll(grant), [400, 'invalid_grant'])
})

test('RFC 8628, 3.5: access_denied where the person denied, and expired_token where the lifetime is over', async () => {
  const [denied, late] = [await start(), await start()]
  await decide(denied, await newPerson(), 'denied')
  expectOauthError(await poll(denied), [400, 'access_denied'])
  await scene.stack.sql`
    update auth_tokens.device_grants set expires_at = now() - interval '1 second'
    where user_code_hash = sha256(${late.user_code.replace('-', '')}::bytea)`
  expectOauthError(await poll(late), [400, 'expired_token'])
})
