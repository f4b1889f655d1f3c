// The service that every request needs is frozen: requests are answered in time, and do not pile up.
import { waitUntil } from '@svc/local/wait-until'
import { createSessionToken } from '@svc/runtime/credential'
import { patience } from '@svc/testing/size'
import { startTestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal, refused } from '../answers.ts'
import { deviceCodeGrant, expectOauthError, type OauthAnswer, oauthScene } from '../oauth/oauth-scene.ts'

const maxInFlight = 16
/** How many look-ups may wait in the gateway. */
const maxPending = 4 * maxInFlight
const budgetMs = 5000
/** The delay that other tests on the machine may add. */
const slackMs = patience(2000)
/** OAuth requests beyond the bound. */
const tooMany = 30

const scene = oauthScene(() => startTestStack({ env: { MAX_IN_FLIGHT: String(maxInFlight) } }))
const signal = (name: NodeJS.Signals) => {
  for (const replica of scene.stack.stack.processes['auth-tokens']) replica.kill(name)
}

type Timed<Answer> = { readonly answer: Answer; readonly ms: number }

async function timed<Answer>(send: () => Promise<Answer>): Promise<Timed<Answer>> {
  const began = performance.now()
  const answer = await send()
  return { answer, ms: performance.now() - began }
}

const installs = (credential: string) =>
  ask(`${scene.base()}/v1/installs`, { headers: { authorization: `Bearer ${credential}` } })
const device_code = 'x'.repeat(32)
const polling = { grant_type: deviceCodeGrant, device_code, client_id: 'svc-cli', token: device_code }
const repeat = <Result>(count: number, make: (at: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, at) => make(at)))

let ofApi: Timed<Answered>[]
let ofOauth: Timed<OauthAnswer>[]
// One freeze for both, since its requests wait for as long as they may.
beforeAll(async () => {
  signal('SIGSTOP')
  try {
    ;[ofApi, ofOauth] = await Promise.all([
      repeat(3 * maxPending, at =>
        timed(() => installs(at % 2 ? createSessionToken() : scene.stack.dev.api_token)),
      ),
      repeat(maxInFlight + tooMany, at =>
        timed(() => scene.post(at % 2 ? '/oauth/token' : '/oauth/revoke', polling)),
      ),
    ])
  } finally {
    signal('SIGCONT')
  }
})
afterAll(() => scene.stack && signal('SIGCONT'))

test('while auth-tokens is frozen every request is answered with 503 within its budget, and at once past the bound', () => {
  const shed = ofApi.filter(({ answer }) => answer.text.includes('50302'))
  expect(shed).toHaveLength(2 * maxPending)
  for (const { answer, ms } of shed) {
    expectRefusal(answer, refused('Unavailable', 50302))
    expect(ms).toBeLessThan(1000 + slackMs)
  }
  for (const { answer, ms } of ofApi.filter(one => !shed.includes(one))) {
    expectRefusal(answer, refused('Unavailable', 50301))
    expect(ms).toBeLessThan(budgetMs + slackMs)
  }
})

test('while auth-tokens is frozen every OAuth answer is 503 in the same shape, and immediate past the bound', () => {
  for (const { answer } of ofOauth) expectOauthError(answer, [503, 'temporarily_unavailable'])
  const times = ofOauth.map(({ ms }) => ms).sort((one, other) => one - other)
  const [shed = 0, waited = 0] = times.slice(tooMany - 1)
  expect(shed).toBeLessThan(500 + slackMs)
  expect(waited - shed).toBeGreaterThan(budgetMs / 5)
  expect(times.at(-1)).toBeLessThan(budgetMs + slackMs)
})

test('it recovers afterwards, and nothing remains of requests that gave up', async () => {
  // After being frozen this long it may have lost its bus connection, and has to reconnect.
  const options = { timeoutMs: patience(20_000) }
  const accepted = async () => (await installs(scene.stack.dev.api_token)).status === 200
  await waitUntil('auth-tokens to answer again', accepted, options)
  await waitUntil(
    'room for as many as before',
    async () => {
      const all = await repeat(maxInFlight, () => installs(scene.stack.dev.api_token))
      return all.every(({ status }) => status === 200)
    },
    options,
  )
  expectOauthError(await scene.post('/oauth/token', polling), [400, 'invalid_grant'])
})
