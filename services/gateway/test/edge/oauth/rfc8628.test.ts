// RFC 8628: each clause with a requirement, and a proof that it holds here.
import { joinProduct } from '@svc/testing/stack/join-product'
import { expect, test } from 'vitest'
import { type Clause, testClauses } from './clauses.ts'
import { deviceCodeGrant, expectOauthError, oauthScene } from './oauth-scene.ts'
import { securityClauses } from './rfc8628-security.ts'

const scene = oauthScene(joinProduct)
const { post, send, start, poll, newPerson, decide, enter } = scene

const authorize = '/oauth/device_authorization'
const client_id = 'svc-cli'
const deviceGrant = (title: string) => ({
  file: 'services/auth-tokens/test/device-grant/device-grant.test.ts',
  title,
})
const pages = (title: string) => ({
  file: 'services/gateway/test/web/account/device/device-pages.test.ts',
  title,
})
const interval = (title: string) => ({
  file: 'services/auth-tokens/test/device-grant/poll-interval.test.ts',
  title,
})
const refusals = (title: string) => ({
  file: 'services/gateway/test/edge/oauth/oauth-refusals.test.ts',
  title,
})
const flow = (title: string) => ({ file: 'services/gateway/test/own-product/device-flow.ts', title })
const ofClient = { notHere: 'it binds the client and its screen' }
const tls = { notHere: 'TLS ends in front of the gateway, which knows its own address by PUBLIC_URL' }
const alone = { notHere: 'all clients are public, and prove nothing' }

const answered = async () => (await post(authorize, { client_id })).body

const clauses: Clause[] = [
  ['3.1', 'MUST', 'requests of the device go over TLS', tls],
  [
    '3.1',
    'REQUIRED',
    'client_id, from a client that proves nothing',
    () => refused(authorize, {}, 'invalid_request'),
  ],
  ['3.1', 'MUST', 'a client with a secret proves itself as at the token endpoint', alone],
  [
    '3.1',
    'OPTIONAL',
    'scope, as RFC 6749, 3.3, says',
    async () => {
      expect((await post(authorize, { client_id, scope: 'openid offline_access' })).status).toBe(200)
      await refused(authorize, { client_id, scope: 'a\\b' }, 'invalid_scope')
    },
  ],
  ['3.1', 'MUST', 'parameters come as a form in UTF-8', refusals('400 for %s')],
  [
    '3.1',
    'MUST',
    'a parameter without a value counts as left out',
    async () => {
      await refused(authorize, { client_id: '' }, 'invalid_request')
      expect((await post(authorize, { client_id, scope: '', client_secret: '' })).status).toBe(200)
    },
  ],
  ['3.1', 'MUST', 'unknown parameters of a request are ignored', refusals('unknown parameters are ignored')],
  [
    '3.1',
    'MUST NOT',
    'a parameter is given more than once',
    async () => {
      const twice: [string, string][] = [
        ['client_id', client_id],
        ['client_id', client_id],
      ]
      expectOauthError(await post(authorize, twice), [400, 'invalid_request'])
      expectOauthError(
        await post('/oauth/token', [['grant_type', deviceCodeGrant], ['device_code', 'x'], ...twice]),
        [400, 'invalid_request'],
      )
      const { text } = await post(authorize, { client_id })
      const names = [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name)
      expect(new Set(names).size).toBe(names.length)
    },
  ],
  ['3.1', 'SHOULD', 'a client begins when its user asks for it, not by itself', ofClient],
  [
    '3.2',
    'MUST',
    'the answer is 200 with application/json',
    async () => {
      const { status, headers } = await post(authorize, { client_id })
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
      expect(headers.get('cache-control')).toBe('no-store')
    },
  ],
  ['3.2', 'REQUIRED', 'device_code', async () => expect((await answered()).device_code).toMatch(/^\w{32}$/)],
  ['3.2', 'REQUIRED', 'user_code', async () => expect((await answered()).user_code).toMatch(/^\w{4}-\w{4}$/)],
  [
    '3.2',
    'REQUIRED',
    'verification_uri, short enough to type',
    async () => {
      expect((await answered()).verification_uri).toBe(`${scene.base()}/device`)
    },
  ],
  [
    '3.2',
    'OPTIONAL',
    'verification_uri_complete, with the user code in it',
    async () => {
      const { verification_uri_complete, user_code } = await answered()
      expect(verification_uri_complete).toBe(`${scene.base()}/device?user_code=${user_code}`)
    },
  ],
  [
    '3.2',
    'REQUIRED',
    'expires_in, in seconds, and true',
    async () => {
      expect((await answered()).expires_in).toBe(600)
      const [row] = await scene.stack.sql`
      select extract(epoch from max(expires_at - created_at))::int as lifetime from auth_tokens.device_grants`
      expect(row).toEqual({ lifetime: 600 })
    },
  ],
  ['3.2', 'OPTIONAL', 'interval, in seconds', async () => expect((await answered()).interval).toBe(5)],
  [
    '3.2',
    'MUST',
    'without an interval a client waits five seconds',
    { notHere: 'the interval is always told' },
  ],
  [
    '3.2',
    'MUST',
    'an error is told as at the token endpoint (RFC 6749, 5.2)',
    async () => {
      expectOauthError(await post(authorize, { client_id: 'nobody' }), [401, 'invalid_client'])
    },
  ],
  [
    '3.3',
    'NOT RECOMMENDED',
    'the user code stands in verification_uri',
    async () => {
      const { verification_uri, user_code } = await answered()
      expect(verification_uri).not.toContain(String(user_code).slice(0, 4))
    },
  ],
  ['3.3', 'SHOULD', 'the device code is not shown to the user', ofClient],
  [
    '3.3',
    'SHOULD',
    'the person is told what they do, and asked to approve or deny',
    pages('a person signs in, sees who asks'),
  ],
  [
    '3.3',
    'SHOULD',
    'the person is signed in before they are told',
    async () => {
      const grant = await start()
      for (const path of ['/device', `/device?user_code=${grant.user_code}`]) {
        const { text } = await send(path, { redirect: 'manual' })
        expect(text).not.toContain('svc command line')
      }
    },
  ],
  ['3.3.1', 'SHOULD', 'the client shows the user code beside the complete address', ofClient],
  [
    '3.3.1',
    'RECOMMENDED',
    'the complete address still asks for a decision, on a page that shows the code',
    pages('a link with a code fills it in'),
  ],
  [
    '3.3.1',
    'MUST',
    'who has entered a code has not approved yet',
    async () => {
      const grant = await start()
      await enter(grant, await newPerson())
      expectOauthError(await poll(grant), [400, 'authorization_pending'])
    },
  ],
  [
    '3.4',
    'REQUIRED',
    'grant_type, with its URN',
    () =>
      refused(
        '/oauth/token',
        { grant_type: 'device_code', device_code: 'x', client_id },
        'unsupported_grant_type',
      ),
  ],
  [
    '3.4',
    'REQUIRED',
    'device_code',
    () => refused('/oauth/token', { grant_type: deviceCodeGrant, client_id }, 'invalid_request'),
  ],
  [
    '3.4',
    'REQUIRED',
    'client_id, from a client that proves nothing',
    () => refused('/oauth/token', { grant_type: deviceCodeGrant, device_code: 'x' }, 'invalid_request'),
  ],
  ['3.4', 'MUST', 'a client with a secret proves itself', alone],
  [
    '3.4',
    'MUST',
    'a code serves the client alone that it was issued to',
    deviceGrant('%s is %s, before and after approval'),
  ],
  [
    '3.5',
    'MUST',
    'an approved code gives a token (RFC 6749, 5.1), once',
    async () => {
      const grant = await start()
      await decide(grant, await newPerson(), 'approved')
      const { status, body, headers } = await poll(grant)
      expect([status, body.token_type]).toEqual([200, 'Bearer'])
      expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
      expectOauthError(await poll(grant), [400, 'invalid_grant'])
    },
  ],
  ['3.5', 'MUST', 'authorization_pending while nobody has decided', flow('after a person approves')],
  [
    '3.5',
    'MUST',
    'slow_down, and five seconds more for this and all later requests',
    interval('slow_down adds five seconds'),
  ],
  ['3.5', 'MUST', 'access_denied where the person denied', flow('a person denies')],
  ['3.5', 'MUST', 'expired_token where the lifetime is over', flow('without a decision the code expires')],
  ['3.5', 'SHOULD', 'after expired_token a client waits for its user before it begins anew', ofClient],
  [
    '3.5',
    'MUST',
    'a client waits for the interval between polls',
    interval('a poll immediately after another'),
  ],
  ['3.5', 'MUST', 'a client stops at any other error', ofClient],
  ['3.5', 'MUST', 'a client polls less often after a timeout', ofClient],
  ['3.5', 'RECOMMENDED', 'and does so exponentially', ofClient],
  ...securityClauses,
]

testClauses('RFC 8628', clauses)

test('every section with a requirement is in the table', () => {
  const sections = new Set(clauses.map(([section]) => section))
  const all = [
    '3.1',
    '3.2',
    '3.3',
    '3.3.1',
    '3.4',
    '3.5',
    '5.1',
    '5.2',
    '5.3',
    '5.4',
    '5.5',
    '5.6',
    '5.7',
    '6.1',
  ]
  expect([...sections]).toEqual(all)
})

async function refused(path: string, parameters: Record<string, string>, code: string) {
  expectOauthError(await post(path, parameters), [400, code])
}
