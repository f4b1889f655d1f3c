// What the running product tells Prometheus: true counts, every metric in its place, and nothing of what was sent.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import type { Program } from '@svc/local/programs'
import { waitUntil } from '@svc/local/wait-until'
import { startTestStack, type TestStack } from '@svc/testing/stack'
import { metricsTable } from '@svc/telemetry/metrics-table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allSeries, growsBy, ownNames, scrape, scrapeText, amountOf } from './metrics-scene.ts'

const maxInFlight = 256
const planted = 'planted8347'
/** So that no call of its own is among those that are counted. */
const quiet = { RECONCILE_EVERY_SECONDS: '600', SIMULATED_STEP_MS: '1' }

type Scraped = Program & { readonly service: string }

let running: TestStack
let gateway: Scraped
let offers: Scraped
let tokens: Scraped
let compute: Scraped
let agent: Scraped
let base: string
let authorization: string

beforeAll(async () => {
  running = await startTestStack({
    ownPostgres: true,
    env: {
      MAX_IN_FLIGHT: String(maxInFlight),
      STRIPE_SECRET_KEY: `sk_test_${planted}`,
      STRIPE_WEBHOOK_SECRET: `whsec_${planted}`,
      STRIPE_API_BASE: 'http://127.0.0.1:1',
    },
  })
  const { processes } = running.stack
  const only = (name: keyof typeof processes) =>
    Object.assign(processes[name][0] as Program, { service: name as string })
  gateway = only('gateway')
  offers = only('offers')
  tokens = only('auth-tokens')
  compute = only('compute')
  const { cluster_id } = running.dev
  agent = Object.assign(await running.stack.startAgent([cluster_id], quiet), { service: 'compute-agent' })
  base = running.baseUrls[0] ?? ''
  authorization = `Bearer ${running.dev.api_token}`
})
afterAll(() => running?.stop())

const all = () => [gateway, offers, tokens, compute, agent]

interface Ask {
  readonly method?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

async function ask(path: string, { method = 'GET', body, headers = { authorization } }: Ask = {}) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
const newOffer = () => ({ product_id: running.dev.product_id, notes: planted })

describe('requests are counted where they pass', () => {
  test('201: in the gateway, on the bus and in the service', async () => {
    const operation = 'offers.create'
    await growsBy(
      [
        [gateway, 'svc_http_requests_total', { operation, status: '201' }, 7],
        [gateway, 'svc_http_request_duration_seconds_count', { operation }, 7],
        [gateway, 'svc_credential_lookups_total', { kind: 'api_token', outcome: 'found' }, 7],
        [gateway, 'svc_bus_calls_total', { operation, outcome: 'ok' }, 7],
        [gateway, 'svc_bus_call_duration_seconds_count', { operation }, 7],
        [offers, 'svc_operations_total', { operation, status: '201' }, 7],
        [offers, 'svc_operation_duration_seconds_count', { operation }, 7],
        [offers, 'svc_batch_size_sum', { batch: 'offers' }, 7],
        [offers, 'svc_outbox_published_total', {}, 7],
      ],
      async () => {
        for (let n = 0; n < 7; n++)
          expect(await ask('/offers', { method: 'POST', body: newOffer() })).toBe(201)
      },
    )
  })

  test('400 of the service, 401 without a look-up, 401 after one, 403, 404', async () => {
    const unknown = 'A'.repeat(32)
    const body = { product_id: 7, [planted]: planted }
    const http = 'svc_http_requests_total'
    await growsBy(
      [
        [gateway, http, { operation: 'offers.create', status: '400' }, 3],
        [gateway, 'svc_bus_calls_total', { operation: 'offers.create', outcome: 'refused' }, 3],
        [offers, 'svc_operations_total', { operation: 'offers.create', status: '400' }, 3],
        [gateway, http, { operation: 'offers.create', status: '401' }, 2],
        [gateway, http, { operation: 'offers.list_installs', status: '401' }, 4],
        [gateway, 'svc_credential_lookups_total', { kind: 'session', outcome: 'unknown' }, 4],
        [gateway, 'svc_credential_lookups_total', { kind: 'api_token', outcome: 'unknown' }, 0],
        [gateway, http, { operation: 'offers.list_installs', status: '403' }, 1],
        [gateway, http, { operation: 'compute.get_cluster', status: '404' }, 5],
        [compute, 'svc_operations_total', { operation: 'compute.get_cluster', status: '404' }, 5],
        [gateway, http, { operation: 'unknown', status: '404' }, 6],
        [gateway, http, { operation: 'GET /livez', status: '200' }, 1],
      ],
      async () => {
        await times(3, () => ask('/offers', { method: 'POST', body }))
        await times(2, () => ask('/offers', { method: 'POST', body, headers: {} }))
        await times(4, () => ask('/installs', { headers: { authorization: `Bearer ${unknown}` } }))
        await ask('/installs', { headers: { authorization: `Bearer ${running.dev.owner.session_token}` } })
        await times(5, () => ask(`/clusters/clus_${planted}`))
        await times(6, at => ask(`/${planted}/${at}`))
        await fetch(`${running.stack.gateways[0]?.url}/livez`)
      },
    )
  })

  test('200 calls at once come to 200 in the sizes of their batches', async () => {
    await growsBy(
      [
        [offers, 'svc_batch_size_sum', { batch: 'offers' }, 200],
        [gateway, 'svc_http_requests_total', { operation: 'offers.create', status: '201' }, 200],
      ],
      () => times(200, () => ask('/offers', { method: 'POST', body: newOffer() })),
    )
  })
})

test('past its bound the gateway sheds, and says so; what goes beyond its deadline is counted on both sides', async () => {
  const calls = 'svc_bus_calls_total'
  await growsBy(
    [
      [gateway, 'svc_shed_total', { at: 'gateway' }, 44],
      [gateway, 'svc_http_requests_total', { operation: 'offers.list_installs', status: '503' }, 44],
      [gateway, 'svc_http_requests_total', { operation: 'offers.list_installs', status: '200' }, maxInFlight],
      [gateway, calls, { operation: 'compute.list_clusters', outcome: 'timeout' }, 5],
      [compute, 'svc_deadline_drops_total', { at: 'bus' }, 5],
      [compute, 'svc_operations_total', { operation: 'compute.list_clusters', status: '200' }, 0],
    ],
    async () => {
      compute.kill('SIGSTOP')
      const late = times(5, () => ask('/clusters'))
      const held = { service: 'gateway', target: 'compute' }
      const inFlight = async (labels: Record<string, string>) =>
        amountOf(await scrape(gateway), 'svc_http_requests_in_flight', labels)
      try {
        await waitUntil('five in flight', async () => (await inFlight(held)) === 5)
        expect(amountOf(await scrape(gateway), 'svc_bus_calls_waiting', { service: 'gateway' })).toBe(5)
        expect(await late).toEqual([504, 504, 504, 504, 504].map(status => expect.toBeOneOf([status, 503])))
      } finally {
        compute.kill('SIGCONT')
      }
      offers.kill('SIGSTOP')
      const crowd = times(maxInFlight + 44, () => ask('/installs'))
      try {
        await waitUntil(
          'the bound',
          async () => (await inFlight({ ...held, target: 'offers' })) === maxInFlight,
        )
      } finally {
        offers.kill('SIGCONT')
      }
      expect((await crowd).filter(status => status === 503)).toHaveLength(44)
    },
  )
})

test('a client that went away is counted as that', async () => {
  const operation = 'compute.list_clusters'
  await growsBy([[gateway, 'svc_http_requests_total', { operation, status: '499' }, 1]], async () => {
    compute.kill('SIGSTOP')
    try {
      const gone = new AbortController()
      const asked = fetch(`${base}/clusters`, { headers: { authorization }, signal: gone.signal })
      const labels = { service: 'gateway', target: 'compute' }
      await waitUntil(
        'it is under way',
        async () => amountOf(await scrape(gateway), 'svc_http_requests_in_flight', labels) === 1,
      )
      gone.abort()
      await expect(asked).rejects.toThrow()
    } finally {
      compute.kill('SIGCONT')
    }
  })
})

test('10,000 unknown paths and methods make no more series', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 40 })
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PURGE', 'MKCOL', 'SEARCH', 'PROPFIND']
  const send = (at: number) =>
    new Promise<number>((resolve, reject) => {
      const path = at % 3 ? `/${planted}-${at}?${planted}=${at}` : `/v1/clusters?${at}`
      const method = at % 3 ? methods[at % methods.length] : methods[6 + (at % 4)]
      request(`${running.stack.gateways[0]?.url}${path}`, { agent, method }, response => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
        .once('error', reject)
        .end()
    })
  await times(60, send)
  // A connection on which nothing comes is answered with 408, whoever opened it.
  const series = async () =>
    allSeries(await scrape(gateway)).filter(one => /^svc_(?!.*unknown.*408)/.test(one))
  const before = await series()
  await growsBy(
    [[gateway, 'svc_http_requests_total', { operation: 'unknown', status: '404' }, 10_000]],
    async () => {
      for (let at = 0; at < 10_000; at += 500) {
        const statuses = await times(500, n => send(at + n))
        expect(new Set(statuses)).toEqual(new Set([404]))
      }
    },
  )
  agent.destroy()
  expect((await series()).sort()).toEqual(before.sort())
})

test('the public port does not have them, and the internal one answers reads alone', async () => {
  const { url } = running.stack.gateways[0] ?? { url: '' }
  for (const path of ['/metrics', '/v1/metrics']) expect((await fetch(url + path)).status).toBe(404)
  for (const { healthUrl } of all()) {
    const refused = await fetch(`${healthUrl}/metrics`, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${healthUrl}/metrics?x=1`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${healthUrl}/other`)).status).toBe(404)
  }
})

test('the agent tells how it holds its pools', async () => {
  const labels = { service: 'compute-agent' }
  await waitUntil('a success', async () => {
    const now = await scrape(agent)
    return amountOf(now, 'svc_agent_reconciles_total', { ...labels, outcome: 'ok' }) > 0
  })
  const last = amountOf(await scrape(agent), 'svc_agent_last_success_seconds', labels)
  expect(Math.abs(Date.now() / 1000 - last)).toBeLessThan(600)
})

describe('docs/observability.md', () => {
  const page = readFileSync(join(repoRoot, 'docs/observability.md'), 'utf8')
  const rows = page
    .split('\n')
    .filter(line => line.startsWith('| `svc_'))
    .map(line => line.split('|').map(cell => cell.trim()))

  test('lists every metric with its type, labels and meaning, and no other', () => {
    const told = rows.map(([, name, type, labels, , help]) => ({ name, type, labels, help }))
    expect(told).toEqual(
      Object.entries(metricsTable).map(([name, { type, labels, help }]) => ({
        name: `\`${name}\``,
        type,
        labels: labels.map(label => `\`${label}\``).join(', '),
        help,
      })),
    )
  })

  test('says where each is: every process has just those', async () => {
    for (const one of all()) {
      const groups = ['all', ...([offers, tokens, compute].includes(one) ? ['services'] : []), one.service]
      const expected = rows
        .filter(([, , , , where = '']) => where.split(', ').some(place => groups.includes(place)))
        .map(([, name = '']) => name.replaceAll('`', ''))
      const exposed = await scrape(one)
      expect(ownNames(exposed), one.service).toEqual(expected.sort())
      // Neither of them had a reason to call another service.
      const unused = [offers, compute].includes(one) ? /^svc_bus_calls?_(total|dur)/ : /^$/
      for (const name of expected.filter(name => !unused.test(name)))
        expect(exposed.get(name)?.series.size, `${one.service} ${name}`).toBeGreaterThan(0)
      for (const series of allSeries(exposed)) expect(series).toContain(`service="${one.service}"`)
    }
  })
})

test('no label holds a credential, an id, an address or anything else that was sent', async () => {
  const { dev } = running
  const secrets = Object.values(dev).flatMap(value =>
    typeof value === 'string' ? [value] : Object.values<string>(value),
  )
  expect(secrets.length).toBeGreaterThan(15)
  for (const one of all()) {
    const text = await scrapeText(one)
    for (const secret of [...secrets, planted])
      expect(text.includes(secret), `${one.service} ${secret}`).toBe(false)
    expect(text).not.toMatch(/\b(ws|user|tok|sess|offer|prod|pkg|pkgv|och|order|inst|clus)_[0-9a-z]{26}\b|@/)
    expect(text).not.toMatch(/postgres:|nats:|127\.0\.0\.1/)
  }
})

// The last one: it takes the database away.
test('without a database the answer is 503, and every process still tells what it knows', async () => {
  await running.stack.postgres?.kill('SIGKILL')
  const labels = { kind: 'api_token', outcome: 'failed' }
  await growsBy(
    [
      [gateway, 'svc_http_requests_total', { operation: 'offers.list_installs', status: '503' }, 3],
      [gateway, 'svc_credential_lookups_total', labels, 3],
      [
        gateway,
        'svc_bus_calls_total',
        { operation: 'auth-tokens.resolve_credentials', outcome: 'failed' },
        3,
      ],
      [tokens, 'svc_operations_total', { operation: 'auth-tokens.resolve_credentials', status: '503' }, 3],
    ],
    async () => {
      for (let n = 0; n < 3; n++) expect(await ask('/installs')).toBe(503)
    },
  )
  const exposed = await scrape(tokens)
  const own = { service: 'auth-tokens' }
  expect(
    amountOf(exposed, 'svc_database_statements_total', { ...own, outcome: 'unavailable' }),
  ).toBeGreaterThan(0)
  expect(amountOf(exposed, 'svc_database_connections', { ...own, state: 'idle' })).toBe(0)
  // What only the database knows is missing, rather than 0.
  expect(exposed.get('svc_outbox_oldest_seconds')?.series.size).toBe(0)
})
