// Who comes without a credential, and keeps the gateway waiting for a body, is in nobody's way but of their like.
import { waitUntil } from '@svc/local/wait-until'
import { joinProduct } from '@svc/testing/join-product'
import type { Product } from '@svc/testing/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, expectRefusal, refused } from './answers.ts'
import { type GatewayHere, startGatewayHere } from './gateway-here.ts'
import { exchange, rawRequest } from './raw-http.ts'
import { json, tooLate } from './refusal-scene.ts'

const maxInFlight = 8
/** More than the requests of all services that may be admitted. */
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

test('webhooks without their bodies take half of the places of one service, and none of the others', async () => {
  const base_url = `${gateway.url}/v1`
  const { api_token } = stack.dev
  const webhook = { method: 'POST', target: '/v1/webhooks/stripe' }
  const headers = [json, 'Content-Length: 2', 'Stripe-Signature: t=1,v1=x']
  let refusals = 0
  const hanging = Array.from({ length: connections }, async () => {
    const { answers } = await exchange(base_url, rawRequest({ ...webhook, headers }), { answers: 1 })
    if (answers[0]?.status === 503) refusals++
    return answers[0]
  })
  await waitUntil('the refusal of those that are too many', () => refusals === connections - maxInFlight / 2)

  const authorization = `Bearer ${api_token}`
  const known = Array.from({ length: maxInFlight }, () =>
    ask(`${base_url}/installs`, { headers: { authorization } }),
  )
  expect((await Promise.all(known)).map(({ status }) => status)).toEqual(Array(maxInFlight).fill(200))
  expectRefusal(await ask(`${base_url}/i/111111111111`), refused('Unavailable', 50302))

  const late = (await Promise.all(hanging)).filter(answer => answer?.status !== 503)
  expect(late).toHaveLength(maxInFlight / 2)
  for (const answer of late) if (answer) expectRefusal(answer, tooLate)
  await waitUntil('a place for others', async () => (await ask(`${base_url}/i/111111111111`)).status === 404)
})
