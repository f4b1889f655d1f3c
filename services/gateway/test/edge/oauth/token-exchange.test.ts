// Exchanging a session token for a short-lived JWT over HTTP: RFC 8693, and the claims of RFC 9068.
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { accessTokenType, expectOauthError, oauthScene, tokenExchangeGrant } from './oauth-scene.ts'

const scene = oauthScene(joinProduct)
const jwtType = 'urn:ietf:params:oauth:token-type:jwt'

const exchange = (subject_token: string, more: Record<string, string> = {}, at = 0) =>
  scene.post(
    '/oauth/token',
    { grant_type: tokenExchangeGrant, subject_token, subject_token_type: accessTokenType, ...more },
    { at },
  )

test('the answer has what RFC 8693, 2.2.1, says, and the token names issuer, audience, person and session', async () => {
  const person = await scene.newPerson()
  const asked = Math.floor(Date.now() / 1000)
  const { status, body, headers } = await exchange(person.token)
  expect(status).toBe(200)
  expect(body).toEqual({
    access_token: expect.stringMatching(/^eyJ[\w-]+\.[\w-]+\.[\w-]+$/),
    issued_token_type: accessTokenType,
    token_type: 'Bearer',
    expires_in: 600,
    scope: 'account',
  })
  expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  const token = String(body.access_token)
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
  const claims = decodeJwt(token)
  expect(claims).toEqual({
    iss: scene.base(),
    aud: scene.base(),
    sub: person.user,
    sid: person.id,
    client_id: expect.any(String),
    jti: expect.any(String),
    auth_time: expect.any(Number),
    iat: expect.any(Number),
    exp: expect.any(Number),
  })
  const { iat = 0, exp = 0 } = claims
  expect(iat).toBeGreaterThanOrEqual(asked)
  expect(exp - iat).toBe(600)
})

test('the token is accepted by every gateway until its session ends, and from that reply on by none', async () => {
  const person = await scene.newPerson()
  const { body } = await exchange(person.token)
  const token = String(body.access_token)
  const sessions = (at: number) =>
    scene.send('/v1/sessions', { headers: { authorization: `Bearer ${token}` } }, at)
  for (const at of [0, 1]) {
    const listed = await sessions(at)
    expect(listed.status).toBe(200)
    expect(listed.body.data).toEqual([expect.objectContaining({ id: person.id, current: true })])
  }
  expect((await scene.post('/oauth/revoke', { token: person.token }, { at: 1 })).status).toBe(200)
  for (const at of [0, 1]) expect((await sessions(at)).status).toBe(401)
  expectOauthError(await exchange(person.token), [400, 'invalid_request'])
})

test.each([
  ['a JWT by name', () => ({ requested_token_type: jwtType }), jwtType],
  ['an access token by name', () => ({ requested_token_type: accessTokenType }), accessTokenType],
  ['for this audience', () => ({ audience: scene.base() }), accessTokenType],
  ['for this resource', () => ({ resource: `${scene.base()}/` }), accessTokenType],
  ['by a registered client', () => ({ client_id: 'svc-cli' }), accessTokenType],
])('%s is issued', async (_name, more, issued) => {
  const { token } = await scene.newPerson()
  const { status, body } = await exchange(token, more())
  expect([status, body.issued_token_type]).toEqual([200, issued])
})

test('the requesting client is named in the token', async () => {
  const { token } = await scene.newPerson()
  const { body } = await exchange(token, { client_id: 'svc-cli' })
  expect(decodeJwt(String(body.access_token)).client_id).toBe('svc-cli')
})

test.each([
  ['for another audience', { audience: 'https://elsewhere.example' }, 400, 'invalid_target'],
  ['by an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
  [
    'of another type',
    { requested_token_type: 'urn:ietf:params:oauth:token-type:saml2' },
    400,
    'invalid_request',
  ],
] as const)('%s is refused', async (_name, more, status, code) => {
  const { token } = await scene.newPerson()
  expectOauthError(await exchange(token, more), [status, code])
})

test('a JWT cannot be exchanged for another one', async () => {
  const { token } = await scene.newPerson()
  const { body } = await exchange(token)
  expectOauthError(await exchange(String(body.access_token)), [400, 'invalid_request'])
})

const many = sized(50, 500)
test(`${many} exchanges at once, over both gateways, give ${many} different tokens`, async () => {
  const { token } = await scene.newPerson()
  const answers = await Promise.all(Array.from({ length: many }, (_, n) => exchange(token, {}, n % 2)))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  const ids = answers.map(({ body }) => decodeJwt(String(body.access_token)).jti)
  expect(new Set(ids).size).toBe(many)
})
