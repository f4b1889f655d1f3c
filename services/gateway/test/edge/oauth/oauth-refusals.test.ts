// What the OAuth endpoints refuse, in OAuth's own shape: the table of RFC 6749, 5.2, and everything but forms sent by
// POST.

import { createApiToken, createSessionToken } from '@svc/runtime/credential'
import { joinProduct } from '@svc/testing/stack/join-product'
import { describe, expect, test } from 'vitest'
import {
  accessTokenType,
  deviceCodeGrant,
  expectOauthError,
  form,
  oauthScene,
  tokenExchangeGrant,
} from './oauth-scene.ts'
import { exchange, rawRequest } from '../../raw-http.ts'

// No proxy is trusted.
const scene = oauthScene(joinProduct)
const { post, send, start, enter, newPerson } = scene

const client_id = 'svc-cli'
const device_code = 'x'.repeat(32)
const polling = { grant_type: deviceCodeGrant, device_code, client_id }
const exchanging = {
  grant_type: tokenExchangeGrant,
  subject_token: createSessionToken(),
  subject_token_type: accessTokenType,
}
const jwt = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl'
const long = 'a'.repeat(64 * 1024)
const basic = `Basic ${Buffer.from('svc-cli:').toString('base64')}`

type Row = [code: string, why: string, path: string, parameters: Record<string, string> | [string, string][]]

/** RFC 6749, 5.2, code by code, except `unauthorized_client`: every client may use every grant. */
const table: Row[] = [
  ['invalid_request', 'a required parameter is missing', '/oauth/token', {}],
  ['invalid_request', 'no client is named', '/oauth/token', { grant_type: deviceCodeGrant, device_code }],
  ['invalid_request', 'no device code', '/oauth/token', { grant_type: deviceCodeGrant, client_id }],
  ['invalid_request', 'an empty parameter is none', '/oauth/token', { ...polling, device_code: '' }],
  ['invalid_request', 'no client is named', '/oauth/device_authorization', {}],
  ['invalid_request', 'no token', '/oauth/revoke', { client_id }],
  [
    'invalid_request',
    'a parameter is repeated',
    '/oauth/token',
    [...Object.entries(polling), ['device_code', device_code]],
  ],
  [
    'invalid_request',
    'a parameter is repeated, once without a value',
    '/oauth/device_authorization',
    [
      ['client_id', client_id],
      ['client_id', ''],
    ],
  ],
  ['invalid_request', 'a device code of 64 KB', '/oauth/token', { ...polling, device_code: long }],
  ['invalid_request', 'a token of 64 KB', '/oauth/revoke', { token: long }],
  ['invalid_request', 'a subject token of 64 KB', '/oauth/token', { ...exchanging, subject_token: long }],
  [
    'unsupported_grant_type',
    'a password',
    '/oauth/token',
    { grant_type: 'password', username: 'a', password: 'b' },
  ],
  ['unsupported_grant_type', 'another one', '/oauth/token', { grant_type: 'authorization_code', code: 'x' }],
  ['unsupported_grant_type', 'a name of an object', '/oauth/token', { grant_type: '__proto__' }],
  ['invalid_grant', 'nobody issued it', '/oauth/token', polling],
  ['invalid_scope', 'malformed', '/oauth/device_authorization', { client_id, scope: 'a "quoted" one' }],
  ['invalid_scope', 'two spaces', '/oauth/token', { ...exchanging, scope: 'a  b' }],
  ['unsupported_token_type', 'an API token', '/oauth/revoke', { token: createApiToken() }],
  ['unsupported_token_type', 'a JWT', '/oauth/revoke', { token: jwt }],
  // RFC 8693, 2.2.2.
  ['invalid_request', 'no subject', '/oauth/token', { ...exchanging, subject_token: '' }],
  ['invalid_request', 'no type of the subject', '/oauth/token', { ...exchanging, subject_token_type: '' }],
  ['invalid_request', 'another type', '/oauth/token', { ...exchanging, subject_token_type: 'urn:x' }],
  [
    'invalid_request',
    'an API token as subject',
    '/oauth/token',
    { ...exchanging, subject_token: createApiToken() },
  ],
  ['invalid_request', 'a JWT as subject', '/oauth/token', { ...exchanging, subject_token: jwt }],
  ['invalid_request', 'an actor', '/oauth/token', { ...exchanging, actor_token: 'x' }],
  ['invalid_request', 'the type of an actor alone', '/oauth/token', { ...exchanging, actor_token_type: 'x' }],
  [
    'invalid_request',
    'a SAML assertion wanted',
    '/oauth/token',
    { ...exchanging, requested_token_type: 'urn:x' },
  ],
  [
    'invalid_target',
    'another audience',
    '/oauth/token',
    { ...exchanging, audience: 'https://other.example' },
  ],
  [
    'invalid_target',
    'another resource',
    '/oauth/token',
    { ...exchanging, resource: 'https://other.example/' },
  ],
]
test.each(table)('400 %s: %s (%s)', async (code, _why, path, parameters) => {
  expectOauthError(await post(path, parameters), [400, code])
})

test('each of several audiences has to be this server', async () => {
  const here = scene.base()
  const targets = (...audience: string[]) =>
    post('/oauth/token', [
      ...Object.entries(exchanging),
      ...audience.map(one => ['audience', one] as [string, string]),
    ])
  expectOauthError(await targets(here, 'https://other.example'), [400, 'invalid_target'])
})

describe('401 invalid_client', () => {
  const paths: [string, Record<string, string>][] = [
    ['/oauth/device_authorization', {}],
    ['/oauth/token', { grant_type: deviceCodeGrant, device_code }],
    ['/oauth/revoke', { token: createSessionToken() }],
  ]
  test.each(paths)('%s: unknown, malformed or with a secret in the body', async (path, parameters) => {
    const wrong: Record<string, string>[] = [
      { client_id: 'nobody' },
      { client_id: 'with\u0000nul' },
      { client_id: 'ünïcode' },
      { client_id: 'x'.repeat(65) },
      { client_id, client_secret: 'secret' },
      { client_id, client_assertion: 'x' },
    ]
    for (const more of wrong) {
      const answer = await post(path, { ...parameters, ...more })
      expectOauthError(answer, [401, 'invalid_client'])
      expect(answer.headers.get('www-authenticate')).toBe('Basic realm="oauth"')
    }
  })

  test.each(paths)(
    '%s: with credentials in the header, whose scheme is named in the answer',
    async (path, parameters) => {
      for (const [authorization, scheme] of [
        [basic, 'Basic'],
        [`Bearer ${createSessionToken()}`, 'Bearer'],
        ['Digest x', 'Basic'],
      ] as const) {
        const answer = await post(path, { ...parameters, client_id }, { headers: { authorization } })
        expectOauthError(answer, [401, 'invalid_client'])
        expect(answer.headers.get('www-authenticate')).toBe(`${scheme} realm="oauth"`)
      }
    },
  )

  test('an empty secret counts as none', async () => {
    expectOauthError(await post('/oauth/token', { ...polling, client_secret: '' }), [400, 'invalid_grant'])
  })
})

test('unknown parameters are ignored, even repeated ones; a charset may be given', async () => {
  const { status } = await send('/oauth/device_authorization', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    body: 'client_id=svc-cli&scope=&colour=red&colour=blue&scope2=%00',
  })
  expect(status).toBe(200)
})

const paths = ['/oauth/device_authorization', '/oauth/token', '/oauth/revoke']
describe.each(paths)('%s', path => {
  test.each<[string, RequestInit]>([
    ['JSON', { headers: { 'content-type': 'application/json' }, body: JSON.stringify(polling) }],
    ['text', { headers: { 'content-type': 'text/plain' }, body: String(new URLSearchParams(polling)) }],
    ['multipart', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }],
    [
      'another charset',
      { headers: { 'content-type': `${form}; charset=utf-16` }, body: String(new URLSearchParams(polling)) },
    ],
    ['no type', { body: new Uint8Array([97, 61, 98]) }],
    ['no body', {}],
    [
      'a body that is compressed',
      { headers: { 'content-type': form, 'content-encoding': 'gzip' }, body: 'x' },
    ],
  ])('400 for %s', async (_what, init) => {
    expectOauthError(await send(path, { method: 'POST', ...init }), [400, 'invalid_request'])
  })

  test.each(['GET', 'PUT', 'PATCH', 'DELETE'])('405 for %s', async method => {
    const answer = await send(`${path}?token=x&client_id=svc-cli`, { method })
    expectOauthError(answer, [405, 'invalid_request'])
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS')
  })

  test('413 for a body of more than 256 KB', async () => {
    const answer = await post(path, { token: 'a'.repeat(256 * 1024) })
    expectOauthError(answer, [413, 'invalid_request'])
  })

  test('parameters in the query are ignored', async () => {
    const answer = await send(`${path}?${new URLSearchParams({ ...polling, token: 'x' })}`, {
      method: 'POST',
      headers: { 'content-type': form },
    })
    expectOauthError(answer, [400, 'invalid_request'])
  })
})

test.each(['/oauth', '/oauth/', '/oauth/introspect', '/oauth/token/more'])('404 for %s', async path => {
  expectOauthError(await post(path, polling), [404, 'invalid_request'])
})

test('a request that is not HTTP/1.1 is refused in the same shape', async () => {
  const { answers } = await exchange(
    scene.base(),
    rawRequest({ method: 'POST', target: '/oauth/token', headers: ['Expect: a miracle'] }),
    { answers: 1 },
  )
  expect(answers[0]?.status).toBe(400)
  expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({ error: 'invalid_request' })
})

test('without a trusted proxy no client is believed about its address', async () => {
  const seen = await enter(
    await start({ 'x-forwarded-for': '198.51.100.77', forwarded: 'for=198.51.100.77' }),
    await newPerson(),
  )
  expect(seen).toMatchObject({ outcome: 'found', grant: { address: '127.0.0.1' } })
})
