// What the processes of a stack say of themselves on /metrics, before and after something happened.
import { waitUntil } from '@svc/local/wait-until'
import { type Exposition, amountOf, parseExposition, seriesKey } from '@svc/testing/exposition'
import { expect } from 'vitest'

interface Scraped {
  readonly healthUrl: string
}

export async function scrapeText({ healthUrl }: Scraped): Promise<string> {
  const response = await fetch(`${healthUrl}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  return response.text()
}

export const scrape = async (process: Scraped): Promise<Exposition> =>
  parseExposition(await scrapeText(process))

/** Metrics by name, without the suffixes of a histogram. */
export const ownNames = (exposition: Exposition) =>
  [...exposition.keys()].filter(name => name.startsWith('svc_')).sort()

/** Every series of the process, without its value. */
export const allSeries = (exposition: Exposition) =>
  [...exposition.values()].flatMap(({ series }) => [...series.keys()])

/** Of a process: each metric with its labels, and by how much it is to grow. */
export type Growth = readonly [
  process: Scraped & { readonly service: string },
  name: string,
  labels: Record<string, string>,
  by: number,
]

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
    timeoutMs: 15_000,
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
