// What the running product reports to Prometheus: every metric in its place, and nothing that was sent.
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { operations } from '@svc/contract/services'
import { repoRoot } from '@svc/local/repo-root'
import { amountOf, seriesKey } from '@svc/testing/deploy/exposition'
import { metricsTable } from '@svc/telemetry/metrics-table'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  agent,
  all,
  allSeries,
  ask,
  compute,
  gateway,
  growsBy,
  newOffer,
  offers,
  ownNames,
  replicasOf,
  scrape,
  scrapeText,
  times,
  tokens,
} from './metrics-scene.ts'
import { planted, running } from './scene.ts'

// Some series start with the first occurrence.
beforeAll(async () => {
  expect(await ask('/offers', { method: 'POST', body: newOffer() })).toBe(201)
  expect(await ask('/clusters')).toBe(200)
})

const beforeItsStart = Date.now() / 1000
const unknownPaths = 2000
test(`${unknownPaths} unknown paths and methods add no series`, async () => {
  const connections = new Agent({ keepAlive: true, maxSockets: 40 })
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PURGE', 'MKCOL', 'SEARCH', 'PROPFIND']
  const send = (at: number) =>
    new Promise<number>((resolve, reject) => {
      const path = at % 3 ? `/${planted}-${at}?${planted}=${at}` : `/v1/clusters?${at}`
      const method = at % 3 ? methods[at % methods.length] : methods[6 + (at % 4)]
      request(`${running.stack.gateways[0]?.url}${path}`, { agent: connections, method }, response => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0))
      })
        .once('error', reject)
        .end()
    })
  // Every third is a path that has other methods.
  const known = Math.ceil(unknownPaths / 3)
  await times(60, send)
  // A connection on which nothing arrives is answered with 408, whoever opened it.
  const series = async () =>
    allSeries(await scrape(gateway)).filter(one => /^svc_(?!.*unknown.*408)/.test(one))
  const before = await series()
  await growsBy(
    [
      [gateway, 'svc_http_requests_total', { operation: 'unknown', status: '404' }, unknownPaths - known],
      [gateway, 'svc_http_requests_total', { operation: 'unknown', status: '405' }, known],
    ],
    async () => {
      for (let at = 0; at < unknownPaths; at += 500) {
        const statuses = await times(Math.min(500, unknownPaths), n => send(at + n))
        expect(new Set(statuses)).toEqual(new Set([404, 405]))
      }
    },
  )
  connections.destroy()
  expect((await series()).sort()).toEqual(before.sort())
})

test('failure series of every operation with a route exist before the first failure, on both sides of the gateway', async () => {
  const exposed = await scrape(gateway)
  const exposedSeries = (name: string) => [...(exposed.get(name)?.series.keys() ?? [])]
  const own = { service: 'gateway' }
  for (const { service, name } of operations.filter(one => one.operation.http)) {
    const labels = { ...own, operation: `${service}.${name}` }
    expect(exposedSeries('svc_http_requests_total')).toEqual(
      expect.arrayContaining(
        ['500', '503', '504'].map(status => seriesKey('svc_http_requests_total', { ...labels, status })),
      ),
    )
    expect(exposedSeries('svc_bus_calls_total')).toEqual(
      expect.arrayContaining(
        ['failed', 'unavailable', 'timeout'].map(outcome =>
          seriesKey('svc_bus_calls_total', { ...labels, outcome }),
        ),
      ),
    )
  }
})

test('the public port does not serve them, and the internal one answers only reads', async () => {
  const { url } = running.stack.gateways[0] ?? { url: '' }
  for (const path of ['/metrics', '/v1/metrics']) expect((await fetch(url + path)).status).toBe(404)
  for (const { healthUrl } of all()) {
    const refused = await fetch(`${healthUrl}/metrics`, { method: 'POST' })
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await fetch(`${healthUrl}/metrics?x=1`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${healthUrl}/other`)).status).toBe(404)
  }
})

test('the agent reports the state of its pools', async () => {
  const labels = { service: 'compute-agent' }
  const last = amountOf(await scrape(agent), 'svc_agent_last_success_seconds', labels)
  expect(last).toBeGreaterThan(beforeItsStart)
  expect(last).toBeLessThanOrEqual(Date.now() / 1000)
})

describe('docs/running/observability.md', () => {
  const page = readFileSync(join(repoRoot, 'docs/running/observability.md'), 'utf8')
  const rows = page
    .split('\n')
    .filter(line => line.startsWith('| `svc_'))
    .map(line => line.split('|').map(cell => cell.trim()))

  test('lists exactly the metrics, with type, labels and meaning', () => {
    const exposedSeries = rows.map(([, name, type, labels, , help]) => ({ name, type, labels, help }))
    expect(exposedSeries).toEqual(
      Object.entries(metricsTable).map(([name, { type, labels, help }]) => ({
        name: `\`${name}\``,
        type,
        labels: labels.map(label => `\`${label}\``).join(', '),
        help,
      })),
    )
  })

  test('says where each is: every process has exactly those', async () => {
    const services = [offers, tokens, compute]
    for (const one of all()) {
      const groups = ['all', ...(services.includes(one) ? ['services'] : []), one.service]
      const expected = rows
        .filter(([, , , , where = '']) => where.split(', ').some(place => groups.includes(place)))
        .map(([, name = '']) => name.replaceAll('`', ''))
      const exposed = await Promise.all(replicasOf(one).map(scrape))
      for (const each of exposed) expect(ownNames(each), one.service).toEqual(expected.sort())
      // None of them had to call another service.
      const unused = services.includes(one) ? /^svc_bus_calls?_(total|dur)/ : /^$/
      const sizes = (name: string) => exposed.map(each => each.get(name)?.series.size ?? 0)
      for (const name of expected.filter(name => !unused.test(name)))
        expect(Math.max(...sizes(name)), `${one.service} ${name}`).toBeGreaterThan(0)
      for (const series of exposed.flatMap(allSeries)) expect(series).toContain(`service="${one.service}"`)
    }
  })
})

test('no label holds a credential, an id, an address or anything else that was sent', async () => {
  const { dev } = running
  const secrets = Object.values(dev).flatMap(value =>
    typeof value === 'string' ? [value] : Object.values<string>(value),
  )
  expect(secrets.length).toBeGreaterThan(15)
  await ask('/offers', { method: 'POST', body: { product_id: 7, [planted]: planted } })
  await ask(`/clusters/clus_${planted}?${planted}=${planted}`)
  await ask('/installs', { headers: { authorization: `Bearer ${planted}`, 'x-request-id': planted } })
  for (const one of all()) {
    const text = await scrapeText(one)
    for (const secret of [...secrets, planted])
      expect(text.includes(secret), `${one.service} ${secret}`).toBe(false)
    expect(text).not.toMatch(/\b(ws|user|tok|sess|offer|prod|pkg|pkgv|och|order|inst|clus)_[0-9a-z]{26}\b|@/)
    expect(text).not.toMatch(/postgres:|nats:|127\.0\.0\.1/)
  }
})
