// The service that every request needs is frozen: requests are answered, and do not pile up.
// In `npm test`: email-lookups.test.ts (slots) and test/jwt/key-set.test.ts (the bound of what waits).
import { waitUntil } from '@svc/local/wait-until'
import { createSessionToken } from '@svc/runtime/credential'
import { startTestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal, refused } from '../../answers.ts'
import { deviceCodeGrant, expectOauthError, type OauthAnswer, oauthScene } from '../oauth/oauth-scene.ts'

const maxInFlight = 16
/** How many look-ups may wait in the gateway. */
const maxPending = 4 * maxInFlight
/** OAuth requests beyond the bound. */
const tooMany = 30

const scene = oauthScene(() => startTestStack({ env: { MAX_IN_FLIGHT: String(maxInFlight) } }))
const signal = (name: NodeJS.Signals) => {
  for (const replica of scene.stack.stack.processes['auth-tokens']) replica.kill(name)
}

const installs = (credential: string) =>
  ask(`${scene.base()}/v1/installs`, { headers: { authorization: `Bearer ${credential}` } })
const device_code = 'x'.repeat(32)
const polling = { grant_type: deviceCodeGrant, device_code, client_id: 'svc-cli', token: device_code }
const repeat = <Result>(count: number, make: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

/** In the order in which they came. */
const ofApi: Answered[] = []
const ofOauth: OauthAnswer[] = []
/** How many of OAuth had come before the first of the API that had waited for auth-tokens. */
let ofOauthAtFirst: number | undefined
const isShed = ({ text }: Answered) => text.includes('50302')
// One freeze for both, since its requests wait for as long as they may.
beforeAll(async () => {
  signal('SIGSTOP')
  try {
    await Promise.all([
      repeat(3 * maxPending, async at => {
        const answer = await installs(at % 2 ? createSessionToken() : scene.stack.dev.api_token)
        ofApi.push(answer)
        if (!isShed(answer)) ofOauthAtFirst ??= ofOauth.length
      }),
      repeat(maxInFlight + tooMany, async at => {
        ofOauth.push(await scene.post(at % 2 ? '/oauth/token' : '/oauth/revoke', polling))
      }),
    ])
  } finally {
    signal('SIGCONT')
  }
})
afterAll(() => scene.stack && signal('SIGCONT'))

test('while auth-tokens is frozen every request is answered with 503, those past the bound before any that waits', () => {
  const shed = 2 * maxPending
  expect(ofApi).toHaveLength(shed + maxPending)
  for (const answer of ofApi.slice(0, shed)) expectRefusal(answer, refused('Unavailable', 50302))
  for (const answer of ofApi.slice(shed)) expectRefusal(answer, refused('Unavailable', 50301))
})

test('while auth-tokens is frozen every OAuth answer is 503 in the same shape, and comes without a wait past the bound', () => {
  for (const answer of ofOauth) expectOauthError(answer, [503, 'temporarily_unavailable'])
  expect(ofOauthAtFirst).toBeGreaterThanOrEqual(tooMany)
})

test('it recovers afterwards, and nothing remains of requests that gave up', async () => {
  // After being frozen this long it may have lost its bus connection, and has to reconnect.
  const accepted = async () => (await installs(scene.stack.dev.api_token)).status === 200
  await waitUntil('auth-tokens to answer again', accepted)
  await waitUntil('room for as many as before', async () => {
    const all = await repeat(maxInFlight, () => installs(scene.stack.dev.api_token))
    return all.every(({ status }) => status === 200)
  })
  expectOauthError(await scene.post('/oauth/token', polling), [400, 'invalid_grant'])
})
