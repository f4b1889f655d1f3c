// Traces across replicas, and how they record a caller's mistake.
// In `npm test`: services/gateway/test/edge/api/trace.test.ts.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { newApiToken, running, useOwnProduct } from './own-product/scene.ts'

useOwnProduct({ gateway: 2, offers: 2, 'auth-tokens': 2 })

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

const parent_id = hex(8)
// With this many, each replica gets some, except once in a hundred thousand runs.
const count = 40

const create = (trace_id: string, gateway: number, body: object, token = running.dev.api_token) =>
  fetch(`${running.baseUrls[gateway]}/offers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      traceparent: `00-${trace_id}-${parent_id}-01`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })

test('one trace runs through every replica, and each span has its parent', async () => {
  const trace_id = hex(16)
  const { product_id } = running.dev
  // One after the other, so that nothing is shared.
  for (let at = 0; at < count; at++) {
    const answer = await create(trace_id, at % 2, { product_id }, await newApiToken())
    expect(answer.status).toBe(201)
  }
  const spans = await running.trace(trace_id, 'POST /v1/offers')
  for (const process of ['gateway', 'offers', 'auth-tokens']) {
    const pids = new Set(spans.filter(span => span.process === process).map(({ pid }) => pid))
    expect({ process, replicas: pids.size }).toEqual({ process, replicas: 2 })
  }
  const byId = new Map(spans.map(span => [span.span_id, span]))
  const executed = spans.filter(({ name, kind }) => name === 'offers.create_offer' && kind === 1)
  expect(executed).toHaveLength(count)
  for (const span of executed) {
    const call = byId.get(span.parent_id ?? '')
    expect(call).toMatchObject({ process: 'gateway', name: 'offers.create_offer', kind: 2 })
    expect(byId.get(call?.parent_id ?? '')).toMatchObject({
      name: 'POST /v1/offers',
      pid: call?.pid,
      parent_id,
      attributes: { 'svc.request_id': span.attributes['svc.request_id'] },
    })
  }
})

test("a caller's mistake is not an error in the trace", async () => {
  const trace_id = hex(16)
  expect((await create(trace_id, 0, {})).status).toBe(400)
  const spans = await running.trace(trace_id, 'POST /v1/offers')
  expect(spans.filter(({ status }) => status.code !== 0)).toEqual([])
  expect(
    spans.find(({ process, kind }) => process === 'offers' && kind === 1)?.attributes['svc.status'],
  ).toBe(400)
})
