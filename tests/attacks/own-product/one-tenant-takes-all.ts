// Any holder of a token, with 600 connections: the others' median rose from 5 to 645 ms, and one in five of their
// requests was refused with 503. With 300 schemas at once nobody else could publish one.
import { everything, sized } from '@svc/testing/size'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type AttackEnd, type AttackOrder, startAttack, written } from '../attacker.ts'
import { type Asked, type Seen, connect, watchOthers } from '../others.ts'
import { product } from './scene.ts'

const headStartMs = 2000
const attackMs = sized(1500, 8000)

const list = (token: string): Asked => ({
  url: `${product.dev.base_url}/offers?limit=1`,
  headers: { authorization: `Bearer ${token}` },
})

/** The effect on others during the attack, once the maximum number of requests is waiting. */
async function watch(order: Omit<AttackOrder, 'url'>, asked: Asked): Promise<{ seen: Seen; end: AttackEnd }> {
  const agent = await connect(asked, 50)
  const end = startAttack({ url: new URL(product.dev.base_url), ...order })
  await delay(headStartMs)
  const seen = await watchOthers(asked, delay(attackMs), { connected: agent })
  agent.destroy()
  return { seen, end: await end() }
}

const createOffer = (token: string) =>
  written({
    url: new URL(product.dev.base_url),
    method: 'POST',
    path: '/v1/offers',
    token,
    body: JSON.stringify({ product_id: product.dev.product_id }),
  })

/** None of the others is refused, and they wait less than the attacker. */
function expectFair({ seen, end }: { seen: Seen; end: AttackEnd }) {
  expect(Object.keys(seen.statuses)).toEqual(['200'])
  expect(end.statuses[201]).toBeGreaterThan(0)
  expect(seen.p50).toBeLessThan(end.p50)
}

test('600 connections with one token leave another workspace its share', async () => {
  const { api_token, other_api_token } = product.dev
  expectFair(await watch({ connections: 600, requests: [createOffer(api_token)] }, list(other_api_token)))
})

test.runIf(everything)(
  '600 connections with one token leave another token of the workspace its share',
  async () => {
    const { base_url, api_token, owner, workspace_id } = product.dev
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
    expectFair(await watch({ connections: 600, requests: [createOffer(api_token)] }, list(token)))
  },
)

test('300 connections that publish expensive schemas leave another workspace its share', async () => {
  const { base_url, api_token, other_api_token } = product.dev
  const send = async (token: string, path: string, body: object) => {
    const answer = await fetch(`${base_url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return { status: answer.status, body: (await answer.json()) as { id: string } }
  }
  const [own, others] = await Promise.all(
    [api_token, other_api_token].map(async token => (await send(token, '/packages', { name: 'P' })).body.id),
  )
  const publish = written({
    url: new URL(base_url),
    method: 'POST',
    path: `/v1/packages/${own}/versions`,
    token: api_token,
    body: JSON.stringify({ version: '{number}', input_schema: expensive() }),
  })
  const publishOne = (version: string) =>
    send(other_api_token, `/packages/${others}/versions`, {
      version,
      input_schema: { properties: { a: { type: 'string' } } },
    })
  expect((await publishOne('1.0.0')).status).toBe(201)
  const end = startAttack({ url: new URL(base_url), connections: 300, requests: [publish] })
  await delay(headStartMs)
  let published = 0
  for (const began = performance.now(); performance.now() - began < attackMs; ) {
    if ((await publishOne(`1.1.${published}`)).status === 201) published++
  }
  const { statuses } = await end()
  // One after the other, beside 300 at once. In a single queue it would be one for every 300.
  const meanwhile = ((statuses[201] ?? 0) * attackMs) / (headStartMs + attackMs)
  expect(published).toBeGreaterThan(meanwhile / 20)
  expect(published).toBeGreaterThan(1)
})

/** Takes some milliseconds of a thread, which checks one at a time. */
const expensive = () => ({
  properties: Object.fromEntries(
    Array.from({ length: 8 }, (_, at) => [
      `p${at}`,
      { type: 'string', pattern: `^(a|b${at}){1,9}[0-9]{1,9}(x|y)*$`, minLength: at },
    ]),
  ),
})
