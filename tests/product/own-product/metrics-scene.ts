// A running product, and what its processes report on /metrics before and after something happens.
import type { Program } from '@svc/local/programs'
import { newAgentSecrets } from '@svc/local/agent-secrets'
import { waitUntil } from '@svc/local/wait-until'
import { type Exposition, amountOf, parseExposition, seriesKey } from '@svc/testing/deploy/exposition'
import { beforeAll, expect } from 'vitest'
import { planted, running } from './scene.ts'

/** Keeps the product's own calls out of the count. */
const quiet = { RECONCILE_EVERY_SECONDS: '600', SIMULATED_STEP_MS: '1' }

/** One process of each kind, and the first where there are replicas. */
export type Scraped = Program & { readonly service: string }

// Set by the hooks of `metricsScene`.
export let gateway: Scraped
export let offers: Scraped
export let activity: Scraped
export let tokens: Scraped
export let compute: Scraped
export let agent: Scraped
export const all = () => [gateway, offers, tokens, compute, agent]

/** The agent is started for it, and has set its pool once. */
export function metricsScene() {
  beforeAll(async () => {
    const { processes } = running.stack
    const only = (name: keyof typeof processes) =>
      Object.assign(processes[name][0] as Program, { service: name as string })
    gateway = only('gateway')
    offers = only('offers')
    activity = only('activity')
    tokens = only('auth-tokens')
    compute = only('compute')
    const { cluster_id: id, workspace_id: workspace } = running.dev
    const secrets = await newAgentSecrets(running.backoffice, [{ id, workspace }])
    agent = Object.assign(await running.stack.startAgent(secrets, quiet), { service: 'compute-agent' })
    const held = { service: 'compute-agent', outcome: 'ok' }
    await waitUntil(
      'the agent holds its pool',
      async () => amountOf(await scrape(agent), 'svc_agent_reconciles_total', held) > 0,
    )
  })
}

interface Ask {
  readonly method?: string
  readonly body?: object
  readonly headers?: Record<string, string>
}

/** @returns the status of the answer; with the demo's token, unless other headers are given */
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
  // A connection that is kept may be closed by the process, which waits for five seconds, just when it is used again.
  const response = await fetch(`${healthUrl}/metrics`, { headers: { connection: 'close' } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return response.text()
}

export const scrape = async (process: Pick<Scraped, 'healthUrl'>): Promise<Exposition> =>
  parseExposition(await scrapeText(process))

/** The process and those beside it of the same kind. */
export const replicasOf = (one: Scraped): readonly Program[] =>
  Object.entries(running.stack.processes).find(([name]) => name === one.service)?.[1] ?? [one]

const scrapeAll = (one: Scraped) => Promise.all(replicasOf(one).map(scrape))

/** Over all replicas. */
const sumIn = (exposed: readonly Exposition[], { service }: Scraped, name: string, labels: object) =>
  exposed.reduce((sum, exposition) => sum + amountOf(exposition, name, { ...labels, service }), 0)

export const sumOf = async (one: Scraped, name: string, labels: object): Promise<number> =>
  sumIn(await scrapeAll(one), one, name, labels)

/** Suspends all replicas. The returned function resumes them. */
export function pause(one: Scraped): () => void {
  for (const replica of replicasOf(one)) replica.kill('SIGSTOP')
  return () => {
    for (const replica of replicasOf(one)) replica.kill('SIGCONT')
  }
}

/** Metrics by name, without the suffixes of a histogram. */
export const ownNames = (exposition: Exposition) =>
  [...exposition.keys()].filter(name => name.startsWith('svc_')).sort()

/** Every series of the process, without its value. */
export const allSeries = (exposition: Exposition) =>
  [...exposition.values()].flatMap(({ series }) => [...series.keys()])

/** Summed over all replicas: each metric with its labels, and its expected growth. */
export type Growth = readonly [process: Scraped, name: string, labels: Record<string, string>, by: number]

/** Checks that `work` makes these series grow by exactly that much, soon afterwards. */
export async function growsBy(growth: readonly Growth[], work: () => Promise<unknown>) {
  const kinds = [...new Set(growth.map(([one]) => one))]
  const read = async () => {
    const exposed = await Promise.all(kinds.map(scrapeAll))
    return growth.map(([one, name, labels]) => sumIn(exposed[kinds.indexOf(one)] ?? [], one, name, labels))
  }
  const before = await read()
  await work()
  const grown = async () => (await read()).map((value, at) => value - (before[at] ?? 0))
  // An answer is counted after it has been sent, and its reader may be faster.
  await waitUntil('the counts', async () => (await grown()).every((by, at) => by >= (growth[at]?.[3] ?? 0)), {
    everyMs: 100,
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
