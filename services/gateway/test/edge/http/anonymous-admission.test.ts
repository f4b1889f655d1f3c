// Clients without a credential that keep the gateway waiting for a body do not hold up others.
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answered, ask, expectRefusal } from '../../answers.ts'
import { type GatewayHere, startGatewayHere } from '../../gateway-here.ts'
import { exchange, rawRequest } from '../../raw-http.ts'
import { json, tooLate } from './refusal-scene.ts'

const maxInFlight = 8
/** More than the slots of all services. */
const connections = 40

let stack: Product
let gateway: GatewayHere
beforeAll(async () => {
  stack = await joinProduct()
  gateway = await startGatewayHere(stack, { maxInFlight })
})
afterAll(async () => {
  await gateway?.stop()
  await stack?.stop()
})

test('webhooks without their bodies take no slot', async () => {
  const base_url = `${gateway.url}/v1`
  const { api_token } = stack.dev
  const webhook = { method: 'POST', target: '/v1/webhooks/stripe' }
  const headers = [json, 'Content-Length: 2', 'Stripe-Signature: t=1,v1=x']
  const hanging = Array.from({ length: connections }, () =>
    exchange(base_url, rawRequest({ ...webhook, headers }), { answers: 1 }),
  )

  const authorization = `Bearer ${api_token}`
  const known = Array.from({ length: maxInFlight }, () =>
    ask(`${base_url}/installs`, { headers: { authorization } }),
  )
  expect((await Promise.all(known)).map(({ status }) => status)).toEqual(Array(maxInFlight).fill(200))
  expect((await ask(`${base_url}/i/111111111111`)).status).toBe(404)

  for (const { answers } of await Promise.all(hanging)) expectRefusal(answers[0] as Answered, tooLate)
})
