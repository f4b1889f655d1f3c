// Any holder of a token: as many requests as the machines can bear, over all gateways. Others waited behind them.
// In `npm test` the buckets (token-buckets.test.ts) and the answer (rate-limited.test.ts) are tested by themselves.
// In `npm test`: services/gateway/test/edge/limits.
import { waitUntil } from '@svc/local/wait-until'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startAttack, written } from './attacker.ts'
import { answersInTurn } from './others.ts'

// Low enough that a slow machine uses a burst up before much of it is refilled.
const perCredential = 2
const perWorkspace = 3
const burstSeconds = 30
const burst = perCredential * burstSeconds

let product: TestStack
beforeAll(async () => {
  product = await startTestStack({
    replicas: { gateway: 3 },
    env: {
      RATE_LIMIT_CREDENTIAL: String(perCredential),
      RATE_LIMIT_WORKSPACE: String(perWorkspace),
      RATE_LIMIT_BURST_SECONDS: String(burstSeconds),
    },
  })
})
afterAll(() => product?.stop())

const ask = (token: string, gateway = 0) =>
  fetch(`${product.baseUrls[gateway]}/installs?limit=1`, { headers: { authorization: `Bearer ${token}` } })

/** Asks one gateway until it refuses. Returns how many it admitted, and the refusal. */
async function useUp(token: string, gateway = 0) {
  for (let admitted = 0; ; admitted++) {
    const answer = await ask(token, gateway)
    if (answer.status !== 200) return { admitted, refused: answer }
  }
}

// Each test continues with what the one before it has used up.
test('a refused client is told when to try again, and succeeds then', async () => {
  const { api_token } = product.dev
  const first = await ask(api_token)
  expect(first.status).toBe(200)
  expect(first.headers.get('ratelimit-policy')).toBe('"credential";q=60;w=30, "workspace";q=90;w=30')
  expect(first.headers.get('ratelimit')).toMatch(/^"credential";r=59;t=\d, "workspace";r=89;t=\d$/)
  const { admitted, refused } = await useUp(api_token)
  expect(admitted).toBeGreaterThanOrEqual(burst - 1)
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ _tag: 'RateLimited', errors: [{ code: 42904 }] })
  expect(refused.headers.get('ratelimit')).toMatch(/^"credential";r=0;t=\d+, /)
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThanOrEqual(1)
  await delay(seconds * 1000)
  expect((await ask(api_token)).status).toBe(200)
})

test('a token whose burst was used up at one gateway is refused at the others', async () => {
  const { api_token } = product.dev
  await useUp(api_token)
  for (const gateway of [1, 2]) {
    let asked = 0
    await waitUntil('a refusal', async () => {
      asked++
      return (await ask(api_token, gateway)).status === 429
    })
    // By itself it would admit a whole burst.
    expect(asked).toBeLessThan(burst)
  }
})

test("two tokens of one workspace together get the workspace's rate", async () => {
  const { base_url, owner, workspace_id } = product.dev
  const answer = await fetch(`${base_url}/api_tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${owner.session_token}`,
      'svc-context': workspace_id,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'another' }),
  })
  const { token } = (await answer.json()) as { token: string }
  const { admitted, refused } = await useUp(token, 1)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('ratelimit')).toMatch(/^"credential";r=[1-9]\d*;t=\d+, "workspace";r=0;t=\d+$/)
  // The first token had most of what the workspace has.
  expect(admitted).toBeLessThan(burst)
})

test('others are answered while one token asks all gateways without end', async () => {
  const { api_token, other_api_token } = product.dev
  const attacks = product.stack.gateways.map(({ url }) => {
    const request = written({ url: new URL(url), path: '/v1/installs?limit=1', token: api_token })
    return startAttack({ url: new URL(url), connections: 200, request })
  })
  await Promise.all(attacks.map(attack => attack.underWay))
  const headers = { authorization: `Bearer ${other_api_token}` }
  const others = { url: `${product.dev.base_url}/offers?limit=1`, headers }
  expect(await answersInTurn(others, burst / 2)).toEqual([200])
  for (const statuses of await Promise.all(attacks.map(attack => attack.end()))) {
    expect(statuses[429]).toBeGreaterThan(20)
    expect(Object.keys(statuses).filter(status => !['200', '429'].includes(status))).toEqual([])
  }
})
