// Pages are no way around the limits of the API: each counts as who asks, and one of the console as the calls that it makes besides.
import { createMetrics } from '@svc/telemetry/metrics'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRateLimits } from '../../../src/edge/limits/rate-limits.ts'
import { createTokenBuckets } from '../../../src/edge/limits/token-buckets.ts'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
import { type Customer, type OfferScene, setOfferScene } from '../store/offer/offer-scene.ts'

let scene: OfferScene
let here: GatewayHere
/** The clock of the bucket. */
let seconds = 0
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
  const credential = createTokenBuckets({ perSecond: 1, burst: 20, now: () => seconds, onMuchUsed() {} })
  here = await startGatewayHere(scene.stack, {
    rateLimits: createRateLimits({ credential }, createMetrics()),
  })
})
afterAll(async () => {
  await here?.stop()
  await scene?.stop()
})

const home = ({ workspaces }: Customer) => `/console/${workspaces[0]}`

test('a person who opens the home page too often is asked to wait, and others are not', async () => {
  const greedy = await reader(home)
  const calm = await reader(home)
  // Nine each for a member: the person, the membership, and seven calls.
  expect([await greedy(), await greedy()]).toEqual([200, 200])
  expect(await greedy()).toBe(429)
  expect(await greedy()).toBe(429)
  expect(await calm()).toBe(200)
  seconds += 20
  expect(await greedy()).toBe(200)
})

test.each([
  ['the list of orders', () => '/orders'],
  ['an order', () => '/orders/order_01k00000000000000000000000'],
  [
    'the question before an order is approved',
    (customer: Customer) => `${home(customer)}/orders/order_01k00000000000000000000000/approve`,
  ],
  ['invitations', () => '/invitations'],
  ['sessions', () => '/sessions'],
])('so does who opens %s', async (_what, pathFor) => {
  const greedy = await reader(pathFor)
  const statuses = new Set<number>()
  for (let time = 0; time < 26; time++) statuses.add(await greedy())
  expect(statuses).toContain(429)
  expect(await (await reader(pathFor))()).not.toBe(429)
})

async function reader(pathFor: (customer: Customer) => string) {
  const customer = await scene.newCustomer()
  const cookie = `__Host-svc_session=${await scene.openSession(customer)}`
  return async () => {
    const page = await fetch(here.url + pathFor(customer), { headers: { cookie } })
    const text = await page.text()
    if (page.status === 429) {
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(text).toContain('Too many attempts')
    }
    return page.status
  }
}
