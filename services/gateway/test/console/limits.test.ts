// The pages of the console are no way around the limits of the API: a page counts as the calls that it makes.
import { createMetrics } from '@svc/telemetry/metrics'
import { joinProduct } from '@svc/testing/stack/join-product'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRateLimits } from '../../src/rate-limits/rate-limits.ts'
import { createTokenBuckets } from '../../src/rate-limits/token-buckets.ts'
import { type GatewayHere, startGatewayHere } from '../gateway-here.ts'
import { type OfferScene, setOfferScene } from '../pages/offer/offer-scene.ts'

let scene: OfferScene
let here: GatewayHere
/** Of the bucket's clock, in seconds. */
let seconds = 0
beforeAll(async () => {
  scene = await setOfferScene(joinProduct)
  const credential = createTokenBuckets({ perSecond: 1, burst: 25, now: () => seconds, onMuchUsed() {} })
  here = await startGatewayHere(scene.stack, {
    rateLimits: createRateLimits({ credential }, createMetrics()),
  })
})
afterAll(async () => {
  await here?.stop()
  await scene?.stop()
})

test('who opens the home page too often is told to wait, and others are not', async () => {
  const greedy = await reader()
  const calm = await reader()
  // Ten calls each.
  expect([await greedy(), await greedy()]).toEqual([200, 200])
  expect(await greedy()).toBe(429)
  // Known by now, so nothing is looked up.
  expect(await greedy()).toBe(429)
  expect(await calm()).toBe(200)
  seconds += 20
  expect(await greedy()).toBe(200)
})

async function reader() {
  const customer = await scene.newCustomer()
  const cookie = `__Host-svc_session=${await scene.openSession(customer)}`
  return async () => {
    const page = await fetch(`${here.url}/console/${customer.workspaces[0]}`, { headers: { cookie } })
    const text = await page.text()
    if (page.status === 429) {
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(text).toContain('Too many attempts')
    }
    return page.status
  }
}
