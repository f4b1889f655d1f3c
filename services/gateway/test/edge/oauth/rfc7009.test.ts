// RFC 7009: each clause with a requirement, and a proof that it holds here.

import { createApiToken, createSessionToken } from '@svc/runtime/credential'
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect } from 'vitest'
import { type Clause, testClauses } from './clauses.ts'
import { expectOauthError, oauthScene } from './oauth-scene.ts'

const scene = oauthScene(joinProduct)
const { post, start, poll, newPerson, decide, whoIs } = scene

const refusals = (title: string) => ({
  file: 'services/gateway/test/edge/oauth/oauth-refusals.test.ts',
  title,
})
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

const clauses: Clause[] = [
  [
    '2',
    'MUST',
    'the address of the endpoint is one of https',
    {
      notHere: 'TLS ends in front of the gateway, which knows its own address by PUBLIC_URL',
    },
  ],
  ['2.1', 'MUST', 'by POST, as a form', refusals('405 for %s')],
  ['2.1', 'REQUIRED', 'token', async () => expectOauthError(await post(path, {}), [400, 'invalid_request'])],
  [
    '2.1',
    'OPTIONAL',
    'token_type_hint: an unknown or wrong one changes nothing',
    async () => {
      for (const token_type_hint of ['access_token', 'refresh_token', 'something else']) {
        const token = await issuedToken()
        await done({ token, token_type_hint })
        expect(await whoIs(token)).toBe(401)
      }
    },
  ],
  [
    '2.1',
    'MUST',
    'the client is validated first',
    async () => {
      const token = await issuedToken()
      expectOauthError(await post(path, { token, client_id: 'nobody' }), [401, 'invalid_client'])
      expectOauthError(await post(path, { token: createSessionToken(), client_id: 'nobody' }), [
        401,
        'invalid_client',
      ])
      expect(await whoIs(token)).toBe(200)
    },
  ],
  [
    '2.1',
    'MUST',
    'a token of another client is refused with an error, and stays',
    async () => {
      await scene.stack.sql`
      insert into auth_tokens.oauth_clients (id, name) values ('another-cli', 'Another') on conflict do nothing`
      const token = await issuedToken()
      expectOauthError(await post(path, { token, client_id: 'another-cli' }), [400, 'invalid_grant'])
      expect(await whoIs(token)).toBe(200)
      await done({ token, client_id: 'svc-cli' })
    },
  ],
  [
    '2.1',
    'MUST',
    'the token is refused from the answer on, everywhere',
    async () => {
      for (const at of [0, 1]) {
        const token = await issuedToken()
        expect(await whoIs(token)).toBe(200)
        await done({ token }, at)
        expect(await whoIs(token)).toBe(401)
      }
    },
  ],
  ['2.1', 'SHOULD', 'with a refresh token its access tokens end', { notHere: 'there are no refresh tokens' }],
  [
    '2.2',
    'MUST',
    '200 for a token that is ended already, or was never issued',
    async () => {
      const token = await issuedToken()
      await done({ token })
      await done({ token })
      await done({ token: createSessionToken() })
      await done({ token: 'anything at all' })
      await done({ token: createSessionToken(), client_id: 'svc-cli' })
    },
  ],
  [
    '2.2.1',
    'OPTIONAL',
    'unsupported_token_type for tokens that are revoked in another way',
    async () => {
      expectOauthError(await post(path, { token: createApiToken() }), [400, 'unsupported_token_type'])
      expectOauthError(await post(path, { token: scene.stack.dev.api_token }), [
        400,
        'unsupported_token_type',
      ])
      const base = { headers: { authorization: `Bearer ${scene.stack.dev.api_token}` } }
      expect((await scene.send('/v1/installs', base)).status).toBe(200)
    },
  ],
  [
    '2.2.1',
    'OPTIONAL',
    '503 with Retry-After while it cannot be done',
    {
      file: 'services/gateway/test/edge/api/frozen-auth-tokens.all.test.ts',
      title: 'while auth-tokens is frozen every OAuth answer',
    },
  ],
  ['2.3', 'OPTIONAL', 'JSONP', { notHere: 'no page of another origin may end sessions' }],
  [
    '5',
    'SHOULD',
    'guesses are no use: tokens have 190 bits',
    {
      file: 'libs/runtime/test/credential.test.ts',
      title: 'the secret characters are evenly distributed',
    },
  ],
]

testClauses('RFC 7009', clauses)
