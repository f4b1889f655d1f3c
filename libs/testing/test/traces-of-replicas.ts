// Traces across replicas, and what they say of a failure. A part of traces.test.ts, which has the product.
import { randomBytes } from 'node:crypto'
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import { sized } from '../src/size.ts'
import { type TracedStack, treeOf } from '../src/traced-stack.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')

const parent_id = hex(8)
// Of so many, each replica has some but for once in a hundred thousand.
const count = sized(20, 40)

/** Of a product with two replicas of each kind of process that an offer passes; without a database afterwards. */
export function describeReplicas(product: () => TracedStack) {
  const ask = (
    path: string,
    { trace_id, gateway = 0 }: { trace_id: string; gateway?: number },
    init: RequestInit = {},
  ) =>
    fetch(`${product().baseUrls[gateway]}${path}`, {
      ...init,
      headers: {
        authorization: `Bearer ${product().dev.api_token}`,
        traceparent: `00-${trace_id}-${parent_id}-01`,
        ...(init.body ? { 'content-type': 'application/json' } : {}),
      },
    })

  test('one trace runs through every replica, and each part has its parent', async () => {
    const trace_id = hex(16)
    const body = JSON.stringify({ product_id: product().dev.product_id })
    // One after the other, so that nothing is shared.
    for (let at = 0; at < count; at++) {
      expect((await ask('/offers', { trace_id, gateway: at % 2 }, { method: 'POST', body })).status).toBe(201)
    }
    const spans = await product().trace(trace_id, 'POST /v1/offers')
    for (const process of ['gateway', 'offers', 'auth-tokens']) {
      const pids = new Set(spans.filter(span => span.process === process).map(({ pid }) => pid))
      expect({ process, replicas: pids.size }).toEqual({ process, replicas: 2 })
    }
    const byId = new Map(spans.map(span => [span.span_id, span]))
    const executed = spans.filter(({ name, kind }) => name === 'offers.create' && kind === 1)
    expect(executed).toHaveLength(count)
    for (const span of executed) {
      const call = byId.get(span.parent_id ?? '')
      expect(call).toMatchObject({ process: 'gateway', name: 'offers.create', kind: 2 })
      expect(byId.get(call?.parent_id ?? '')).toMatchObject({
        name: 'POST /v1/offers',
        pid: call?.pid,
        parent_id,
        attributes: { 'svc.request_id': span.attributes['svc.request_id'] },
      })
    }
  })

  test('what a caller does wrong is no error of the trace', async () => {
    const trace_id = hex(16)
    expect((await ask('/offers', { trace_id }, { method: 'POST', body: '{}' })).status).toBe(400)
    const spans = await product().trace(trace_id, 'POST /v1/offers')
    expect(spans.filter(({ status }) => status.code !== 0)).toEqual([])
    expect(
      spans.find(({ process, kind }) => process === 'offers' && kind === 1)?.attributes['svc.status'],
    ).toBe(400)
  })

  // The last of all: it takes the database away.
  test('without the database every span on the way says so, by the tag alone', async () => {
    await product().stack.postgres?.kill('SIGKILL')
    let spans: Awaited<ReturnType<TracedStack['trace']>> = []
    // The processes of the server end one by one; of what ran in them then the outcome is unknown.
    await waitUntil('credentials cannot be looked up', async () => {
      const trace_id = hex(16)
      const answer = await ask('/installs', { trace_id })
      spans = await product().trace(trace_id, 'GET /v1/installs')
      const statement = spans.find(({ name }) => name.startsWith('SELECT api_tokens'))
      return answer.status === 503 && statement?.attributes['error.type'] === 'Unavailable'
    })
    expect(treeOf(spans).slice(0, 5)).toEqual([
      'gateway SERVER GET /v1/installs',
      '  gateway wait credential_lookups',
      '    gateway batch credential_lookups',
      '      gateway CLIENT auth-tokens.resolve_credentials',
      '        auth-tokens SERVER auth-tokens.resolve_credentials',
    ])
    const failed = spans.filter(({ status }) => status.code === 2)
    expect(failed.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'GET /v1/installs',
        'wait credential_lookups',
        'auth-tokens.resolve_credentials',
        'wait credential_reads',
        'SELECT api_tokens SELECT sessions SELECT memberships',
      ]),
    )
    for (const { status, attributes, events } of failed) {
      expect({ status, type: attributes['error.type'] }).toEqual({ status: { code: 2 }, type: 'Unavailable' })
      expect(events.filter(({ name }) => name === 'exception')).toEqual([])
    }
  })
}
