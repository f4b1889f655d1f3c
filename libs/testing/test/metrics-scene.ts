// A running product, and what its processes say of themselves on /metrics, before and after something happened.
import type { Program } from '@svc/local/programs'
import { waitUntil } from '@svc/local/wait-until'
import { type Exposition, amountOf, parseExposition, seriesKey } from '@svc/testing/exposition'
import { patience, sized } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack'
import { afterAll, beforeAll, expect } from 'vitest'

export const maxInFlight = sized(64, 256)
/** What is sent and configured, and must not come out. */
export const planted = 'planted8347'
/** So that no call of its own is among those that are counted. */
const quiet = { RECONCILE_EVERY_SECONDS: '600', SIMULATED_STEP_MS: '1' }

export type Scraped = Program & { readonly service: string }

// Set by the hooks of `metricsScene`.
export let running: TestStack
export let gateway: Scraped
export let offers: Scraped
export let tokens: Scraped
export let compute: Scraped
export let agent: Scraped
export const all = () => [gateway, offers, tokens, compute, agent]

/** The whole product for the file, one process of each kind, the agent among them, which has held its pool once. */
export function metricsScene() {
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
    const held = { service: 'compute-agent', outcome: 'ok' }
    await waitUntil(
      'the agent holds its pool',
      async () => amountOf(await scrape(agent), 'svc_agent_reconciles_total', held) > 0,
    )
  })
  afterAll(() => running?.stop())
}

interface Ask {
  readonly method?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** @returns the status of the answer; the demo's token asks, unless there are other headers */
export async function ask(path: string, { method = 'GET', body, headers }: Ask = {}): Promise<number> {
  const response = await fetch(`${running.baseUrls[0]}${path}`, {
    method,
    headers: {
      ...(headers ?? { authorization: `Bearer ${running.dev.api_token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  })
  await response.arrayBuffer()
  return response.status
}

export const times = <T>(count: number, work: (at: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)))
export const newOffer = () => ({ product_id: running.dev.product_id, notes: planted })

export async function scrapeText({ healthUrl }: Pick<Scraped, 'healthUrl'>): Promise<string> {
  const response = await fetch(`${healthUrl}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return response.text()
}

export const scrape = async (process: Pick<Scraped, 'healthUrl'>): Promise<Exposition> =>
  parseExposition(await scrapeText(process))

/** Metrics by name, without the suffixes of a histogram. */
export const ownNames = (exposition: Exposition) =>
  [...exposition.keys()].filter(name => name.startsWith('svc_')).sort()

/** Every series of the process, without its value. */
export const allSeries = (exposition: Exposition) =>
  [...exposition.values()].flatMap(({ series }) => [...series.keys()])

/** Of a process: each metric with its labels, and by how much it is to grow. */
export type Growth = readonly [process: Scraped, name: string, labels: Record<string, string>, by: number]

/** Holds that `work` makes these series grow by just so much, and that it is so soon after. */
export async function growsBy(growth: readonly Growth[], work: () => Promise<unknown>) {
  const read = () =>
    Promise.all(
      growth.map(async ([process, name, labels]) =>
        amountOf(await scrape(process), name, { ...labels, service: process.service }),
      ),
    )
  const before = await read()
  await work()
  const grown = async () => (await read()).map((value, at) => value - (before[at] ?? 0))
  // An answer is counted when it has been sent, and its reader may be faster.
  await waitUntil('the counts', async () => (await grown()).every((by, at) => by >= (growth[at]?.[3] ?? 0)), {
    timeoutMs: patience(15_000),
  }).catch(() => {})
  expect(named(growth, await grown())).toEqual(
    named(
      growth,
      growth.map(([, , , by]) => by),
    ),
  )
}

const named = (growth: readonly Growth[], by: readonly number[]) =>
  growth.map(([{ service }, name, labels], at) => `${service} ${seriesKey(name, labels)} +${by[at]}`)
