// Anyone, without a credential: a query of 3,800 names, 48 times a second, raised the others' median from 7 to 659 ms.
// Any holder of a token: a body of 25,000 unknown keys, 15 times a second per replica, raised it from 5 ms to 4.5 s,
// and led to 504.
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything, patience, sized } from '@svc/testing/size'
import type { Product } from '@svc/testing/stack/stack'
import { Agent } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Asked, ask, watchOthers } from './others.ts'

let product: Product
let baseline: number
beforeAll(async () => {
  product = await joinProduct()
  baseline = (await watchOthers(others(), Promise.resolve())).p50
})
afterAll(() => product?.stop())

const attackMs = sized(2000, 4000)

const others = (): Asked => ({
  url: `${product.dev.base_url}/offers?limit=1`,
  headers: { authorization: `Bearer ${product.dev.other_api_token}` },
})

/** Sends `perSecond` of them, answered or not, and returns each one's status. */
async function attack(asked: Asked, perSecond: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const answers: Promise<number>[] = []
  for (const began = performance.now(); performance.now() - began < attackMs; ) {
    answers.push(ask(asked, agent))
    await delay(1000 / perSecond)
  }
  const statuses = await Promise.all(answers)
  agent.destroy()
  return statuses
}

async function expectHarmless(asked: Asked, perSecond: number) {
  const attacked = attack(asked, perSecond)
  const seen = await watchOthers(others(), attacked)
  // 503: refused before it was parsed.
  expect((await attacked).filter(status => status !== 400 && status !== 503)).toEqual([])
  expect(Object.keys(seen.statuses)).toEqual(['200'])
  // A few times as long, on a machine with other work; it was five seconds.
  expect(seen.p50).toBeLessThan(5 * baseline + patience(100))
}

const names = (count: number) => Array.from({ length: count }, (_, at) => at.toString(36))

test('3,800 names in a query, 48 times a second, without a credential', async () => {
  const url = `${product.dev.base_url}/i/abcdefghijkm?${names(3800).join('&')}`
  await expectHarmless({ url }, 48)
})

test('a query of the same name, 3,800 times', async () => {
  const url = `${product.dev.base_url}/i/abcdefghijkm?${'a&'.repeat(3800)}`
  await expectHarmless({ url }, 48)
})

/** And how many per second for both replicas. A long body has a necessary cost: 25 ms of processor time for all its keys. */
const bodies: readonly (readonly [string, number, () => string])[] = [
  ['25,000 unknown keys', 30, () => JSON.stringify(Object.fromEntries(names(25_000).map(name => [name, 0])))],
  [
    '25,000 unknown keys in 25 objects',
    10,
    () =>
      JSON.stringify({
        product_id: product.dev.product_id,
        field_values: Object.fromEntries(
          names(25).map(name => [name, Object.fromEntries(names(1000).map(inside => [inside, 0]))]),
        ),
      }),
  ],
  [
    '25,000 values that are none',
    30,
    () =>
      JSON.stringify({
        field_values: Object.fromEntries(names(1000).map(name => [name, Array(25).fill(0)])),
      }),
  ],
  [
    'a list of 120,000 addresses that are none',
    30,
    () => JSON.stringify({ allowed_emails: Array(120_000).fill(0) }),
  ],
  [
    'many keys and a string without an end',
    30,
    () => `[${`{${names(600).map(name => `"${name}":0`)}},`.repeat(2)}"${'\\"'.repeat(110_000)}`,
  ],
  ['one key, 25,000 times', 30, () => `{${'"a":1,'.repeat(25_000)}"a":1}`],
]

test.each(everything ? bodies : bodies.slice(0, 3))(
  'a body of %s, %d times a second, with one token',
  async (_, perSecond, body) => {
    const { api_token, base_url } = product.dev
    const headers = { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' }
    await expectHarmless({ url: `${base_url}/offers`, method: 'POST', headers, body: body() }, perSecond)
  },
)
