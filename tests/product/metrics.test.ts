// What the processes of the run's product expose to Prometheus, while other files use it as well.
// In `npm run test:all` exact counts, of losses, too: own-product.all.test.ts.
import { forFile } from '@svc/testing/for-file'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@svc/local/repo-root'
import type { ProcessName } from '@svc/local/stack'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { amountOf, parseExposition } from '@svc/testing/deploy/exposition'
import { requester } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, expect, test } from 'vitest'

const product = forFile(joinProduct)
let send: ReturnType<typeof requester>
beforeAll(() => {
  send = requester(product.baseUrls[0] ?? '')
})

async function scrape({ healthUrl }: { healthUrl: string }) {
  // A connection that is kept may be closed just when it is used again.
  const response = await fetch(`${healthUrl}/metrics`, { headers: { connection: 'close' } })
  const text = await response.text()
  return { text, exposed: parseExposition(text) }
}
const kinds = () => Object.keys(product.stack.processes) as ProcessName[]
const scrapeAll = (kind: ProcessName) => Promise.all(product.stack.processes[kind].map(scrape))

test('every process exposes exactly what docs/running/observability.md says of its kind, and not on the public port', async () => {
  const page = readFileSync(join(repoRoot, 'docs/running/observability.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `(svc_\w+)` \| (\w+) \|[^|]*\| (.*) \| (.*) \|$/gm)]
  for (const kind of kinds()) {
    const places = ['all', kind, ...(kind === 'gateway' ? [] : ['services'])]
    const expected = rows
      .filter(([, , , where = '']) => where.split(', ').some(place => places.includes(place)))
      .map(([, name, type, , help]) => [name, type, help])
    for (const { exposed } of await scrapeAll(kind)) {
      const own = [...exposed].filter(([name]) => name.startsWith('svc_'))
      expect(own.map(([name, { type, help }]) => [name, type, help]).sort(), kind).toEqual(expected.sort())
    }
  }
  expect((await fetch(`${product.stack.gateways[0]?.url}/metrics`)).status).toBe(404)
})

type Growth = [kind: ProcessName, name: string, labels: Record<string, string>, by: number]

/** Waits until each of these has grown by that much at least, over all replicas. */
async function growsBy(growth: Growth[], work: () => Promise<unknown>) {
  const amount = async ([service, name, labels]: Growth) =>
    (await scrapeAll(service))
      .map(({ exposed }) => amountOf(exposed, name, { ...labels, service }))
      .reduce((sum, one) => sum + one)
  const before = await Promise.all(growth.map(amount))
  await work()
  // An answer is counted after it has been sent.
  for (const [at, one] of growth.entries())
    await waitUntil(one.join(' '), async () => (await amount(one)) >= (before[at] ?? 0) + one[3])
}

test('a request is counted on its way: in the gateway, on the bus and in the service', async () => {
  const operation = 'offers.create_offer'
  const { api_token, product_id } = product.dev
  await growsBy(
    [
      ['gateway', 'svc_http_requests_total', { operation, status: '201' }, 1],
      ['gateway', 'svc_bus_calls_total', { operation, outcome: 'ok' }, 1],
      ['offers', 'svc_operations_total', { operation, status: '201' }, 1],
    ],
    () => send('POST', '/offers', api_token, { body: { product_id } }),
  )
})

test('unknown paths and methods, ids and credentials add no series', async () => {
  const { api_token } = product.dev
  const planted = newId('offer').slice(6)
  const sent = ['PROPFIND', 'PURGE', 'GET']
  await growsBy([['gateway', 'svc_http_requests_total', { operation: 'unknown', status: '404' }, 3]], () =>
    Promise.all(sent.map(method => send(method, `/${planted}/${method}?${planted}=1`, planted))),
  )
  expect((await send('GET', `/clusters/clus_${planted}`, api_token)).status).toBe(404)
  for (const { text } of (await Promise.all(kinds().map(scrapeAll))).flat()) {
    for (const secret of [planted, 'PROPFIND', 'PURGE', api_token]) expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\b[a-z]+_[0-9a-z]{26}\b|@|127\.0\.0\.1/)
  }
})
