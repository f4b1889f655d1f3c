// RFC 7009 over HTTP, by its sections. What all OAuth endpoints refuse: oauth-refusals.test.ts.
import { createApiToken, createSessionToken } from '@svc/runtime/credential'
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, test } from 'vitest'
import { expectOauthError, oauthScene } from './oauth-scene.ts'

const scene = oauthScene(joinProduct)
const { post, start, poll, newPerson, decide, whoIs } = scene
const path = '/oauth/revoke'

async function issuedToken(): Promise<string> {
  const grant = await start()
  await decide(grant, await newPerson(), 'approved')
  return String((await poll(grant)).body.access_token)
}
const done = async (parameters: Record<string, string>, at = 0) => {
  const { status, text, headers } = await post(path, parameters, { at })
  expect({ status, text, type: headers.get('content-type') }).toEqual({ status: 200, text: '', type: null })
  expect(headers.get('cache-control')).toBe('no-store')
}

test.each(['access_token', 'refresh_token', 'something else'])(
  'RFC 7009, 2.1: the token_type_hint %s changes nothing',
  async token_type_hint => {
    const token = await issuedToken()
    await done({ token, token_type_hint })
    expect(await whoIs(token)).toBe(401)
  },
)

test('RFC 7009, 2.1: the client is validated first', async () => {
  const token = await issuedToken()
  for (const one of [token, createSessionToken()])
    expectOauthError(await post(path, { token: one, client_id: 'nobody' }), [401, 'invalid_client'])
  expect(await whoIs(token)).toBe(200)
})

test('RFC 7009, 2.1: a token of another client is refused with an error, and stays', async () => {
  await scene.stack.sql`
    insert into auth_tokens.oauth_clients (id, name) values ('another-cli', 'Another') on conflict do nothing`
  const token = await issuedToken()
  expectOauthError(await post(path, { token, client_id: 'another-cli' }), [400, 'invalid_grant'])
  expect(await whoIs(token)).toBe(200)
  await done({ token, client_id: 'svc-cli' })
})

test.each([0, 1])(
  'RFC 7009, 2.1: a token revoked at gateway %i is refused everywhere from then on',
  async at => {
    const token = await issuedToken()
    expect(await whoIs(token)).toBe(200)
    await done({ token }, at)
    expect(await whoIs(token)).toBe(401)
  },
)

test('RFC 7009, 2.2: 200 for a token that is ended already, or was never issued', async () => {
  const token = await issuedToken()
  for (const one of [token, token, createSessionToken(), 'anything at all']) await done({ token: one })
  await done({ token: createSessionToken(), client_id: 'svc-cli' })
})

test('RFC 7009, 2.2.1: tokens that are revoked in another way are named so, and stay', async () => {
  const { api_token } = scene.stack.dev
  for (const token of [createApiToken(), api_token])
    expectOauthError(await post(path, { token }), [400, 'unsupported_token_type'])
  const headers = { authorization: `Bearer ${api_token}` }
  expect((await scene.send('/v1/installs', { headers })).status).toBe(200)
})
