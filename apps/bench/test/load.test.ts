import { onOwnClock } from '@svc/testing/own-clock'
import { expect, test } from 'vitest'
import { startLoad } from '../src/load/load.ts'
import { requestForm, type Workload } from '../src/load/workloads.ts'
import { type Asked, answering, created, seed } from './answering.ts'

const enough = 200

/** Puts load on a server that answers with success, until it has had enough requests. Everything is stopped at the end. */
async function loadUntilEnough(workload: Workload, connections: number) {
  let reached: () => void = () => {}
  const enoughAsked = new Promise<void>(resolve => {
    reached = resolve
  })
  const server = await answering(one => {
    if (server.asked.length >= enough) reached()
    return one.method === 'POST' ? created : { status: 200, body: { data: [] } }
  })
  const load = startLoad({ urls: [server.url], seed, workload, connections })
  await enoughAsked
  const { requests } = await load.stop()
  return { asked: server.asked, requests, load }
}

test('by the end exactly the requests that were sent are acknowledged', async () => {
  const { asked, requests, load } = await loadUntilEnough('product', 8)
  expect(requests).toEqual({ product: asked.length })
  expect(load.mark().requests).toBe(asked.length)
  expect(new Set(asked.map(({ port }) => port)).size).toBe(8)
})

test('every request has its own key, the token, and the same body', async () => {
  const { asked } = await loadUntilEnough('product', 4)
  expect(new Set(asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(asked.length)
  expect(new Set(asked.map(({ body }) => body))).toEqual(new Set([requestForm('product', seed).body]))
  expect(new Set(asked.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer sk_svc_test']))
})

test('the mix is 70 % creations and 30 % lists on every connection', async () => {
  const { asked, requests } = await loadUntilEnough('mix', 3)
  expect(requests.product).toBeGreaterThan(asked.length * 0.7 - 6)
  expect(requests.product).toBeLessThan(asked.length * 0.7 + 6)
  expect((requests.product ?? 0) + (requests.tokens ?? 0)).toBe(asked.length)
})

test('a connection sends nothing before its last request was answered', async () => {
  const open = new Map<number, number>()
  let most = 0
  const { url, asked } = await answering(async ({ port }) => {
    const now = (open.get(port) ?? 0) + 1
    open.set(port, now)
    most = Math.max(most, now)
    await new Promise(setImmediate)
    open.set(port, now - 1)
    return created
  })
  const load = startLoad({ urls: [url], seed, workload: 'version', connections: 4 })
  while (asked.length < 50) await new Promise(setImmediate)
  await load.stop()
  expect(most).toBe(1)
  expect(asked.some(({ headers }) => 'idempotency-key' in headers)).toBe(false)
})

test('a mark reports what was answered since the previous mark, and how long it took', async () => {
  const { url, asked } = await answering(async () => {
    await new Promise(done => setTimeout(done, 5))
    return created
  })
  const load = startLoad({ urls: [url], seed, workload: 'version', connections: 2 })
  while (asked.length < 20) await new Promise(setImmediate)
  const first = load.mark()
  expect(first.requests).toBeGreaterThanOrEqual(18)
  expect(first.p50_ms).toBeGreaterThan(4)
  expect(first.max_ms).toBeGreaterThanOrEqual(first.p99_ms * 0.99)
  const { requests } = await load.stop()
  expect(load.mark().requests).toBe((requests.version ?? 0) - first.requests)
})

test('settings carry the etag of the previous answer, and change every time', async () => {
  const answered = new Map<string, number>()
  const { url, asked } = await answering(one => {
    const count = (answered.get(one.url) ?? 0) + 1
    answered.set(one.url, count)
    return { status: 200, body: { etag: `e${count}` } }
  })
  const clusters = ['clus_a', 'clus_b'].map(id => ({ id, etag: 'e0', max_machines: 999 }))
  const load = startLoad({ urls: [url], seed, workload: 'settings', connections: 2, clusters })
  while (asked.length < 40) await new Promise(setImmediate)
  const { etags, requests } = await load.stop()
  const first = asked.filter(one => one.url === '/v1/clusters/clus_a/compute_settings')
  expect(first.map(({ headers }) => headers['if-match'])).toEqual(first.map((_, index) => `"e${index}"`))
  expect(first.slice(0, 3).map(machines)).toEqual([1000, 1, 2])
  expect(etags.clus_a).toBe(`e${first.length}`)
  expect(requests.settings).toBe(asked.length)
})

const machines = ({ body }: Asked) => JSON.parse(body).max_machines

test('an unsuccessful answer fails the load, with its text', async () => {
  const { url } = await answering(() => ({ status: 503, body: { _tag: 'Unavailable' } }))
  const load = startLoad({ urls: [url], seed, workload: 'product', connections: 2 })
  await expect(load.failure).rejects.toThrow('product was answered 503: {"_tag":"Unavailable"}')
  await expect(load.stop()).rejects.toThrow('503')
})

test('a server that does not listen fails the load', async () => {
  const load = startLoad({ urls: ['http://127.0.0.1:1'], seed, workload: 'tokens', connections: 1 })
  await expect(load.failure).rejects.toThrow('tokens was not answered')
})

test('an open loop takes each token in turn, and the wait for a connection counts', () =>
  onOwnClock(async clock => {
    const answers: (() => void)[] = []
    const { url, asked } = await answering(async () => {
      await new Promise<void>(done => answers.push(done))
      return { status: 200, body: { data: [] } }
    })
    const answerAll = async () => {
      for (const answer of answers.splice(0)) answer()
      await new Promise(setImmediate)
    }
    const load = startLoad({
      ...{ urls: [url], seed, workload: 'installs', connections: 1 },
      open: { per_second: 100, tokens: ['sk_a', 'sk_b', 'sk_c'] },
    })
    while (answers.length < 1) await new Promise(setImmediate)
    await clock.tickAsync(300)
    // The second was due 10 ms after the first, which took 300.
    while (asked.length < 4) await answerAll()
    expect(load.mark().p50_ms).toBeGreaterThan(280)
    let stopped = false
    const stop = load.stop().then(() => {
      stopped = true
    })
    while (!stopped) await answerAll()
    await stop
    const tokens = asked.map(({ headers }) => headers.authorization)
    expect(tokens.slice(0, 4)).toEqual(['Bearer sk_a', 'Bearer sk_b', 'Bearer sk_c', 'Bearer sk_a'])
  }))

test('bodies of the offers are about 600 bytes', () => {
  for (const kind of ['product', 'version', 'channel'] as const) {
    const { length } = requestForm(kind, { ...seed, product_id: `prod_${'x'.repeat(26)}` }).body ?? ''
    expect(length).toBeGreaterThan(500)
    expect(length).toBeLessThan(700)
  }
})
