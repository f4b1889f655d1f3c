/** Pages of the console at twenty requests a second, each in turn, in a workspace with a thousand of what lists show. */
import { setTimeout as delay } from 'node:timers/promises'
import { fillTables } from '@svc/testing/statements/fill-tables'
import { productContestant } from '../contestants/product-contestant.ts'
import { startLoop } from '../load/loop.ts'
import { studyReport } from '../report/report.ts'
import { percentile } from '../report/statistics.ts'
import { decimals, table, whole } from '../report/table.ts'
import { judge } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'

const perSecond = 20
/** Offers of the workspace, which has a tenth of all. */
const rows = 1000

const pages = [
  ...['', '/offers', '/orders', '/installs', '/catalogue', '/clusters', '/tokens', '/webhooks'],
  ...['/activity', '/activity/audit-log', '/members', '/settings', '/offers/new'],
]

export async function consolePages(surroundings: Surroundings): Promise<void> {
  const { options, say } = surroundings
  const scene = await setScene(surroundings, 1)
  const { product, sql } = await productContestant('console', scene)
  const { seed, machine } = scene
  await fillTables(sql, { offers: 10 * rows, tokens: rows, ...seed })
  const open = (page: string) =>
    wholePage(`${product.urls[0]}/console/${seed.workspace_id}${page}`, seed.owner_session)

  for (const page of pages) await open(page)
  const times: Record<string, number[]> = Object.fromEntries(pages.map(page => [page, []]))
  for (let round = 1; round <= options.rounds; round++) {
    say(`${round}/${options.rounds}`)
    let next = 0
    const loop = startLoop({
      lanes: 64,
      perSecond,
      what: 'pages',
      async act(_lane, dueAt) {
        const page = pages[next++ % pages.length] as string
        await open(page)
        times[page]?.push(performance.now() - dueAt)
      },
    })
    await loop.during(delay(options.seconds * 1000))
    await loop.stop()
  }

  const all = Object.values(times).flat()
  const targets = [
    judge({
      name: `Pages of the console at ${perSecond} requests/s, 95th percentile`,
      bound: { at_most: 150 },
      unit: 'ms',
      figure: percentile(all, 95),
    }),
  ]
  const byPage = table(
    ['page', 'requests', 'p50 ms', 'p95 ms', 'worst ms'],
    [...Object.entries(times), ['all', all] as const].map(([page, found]) => [
      ...[page || 'home', whole(found.length)],
      ...[50, 95, 100].map(part => decimals(percentile(found, part))),
    ]),
  )
  const title = `Pages of the console, ${perSecond} a second`
  await publish(surroundings, {
    report: studyReport({ title, machine, sections: [byPage], targets }),
    json: { machine, targets, times },
  })
}

/** Resolves when all of it is here. */
async function wholePage(url: string, session: string): Promise<void> {
  const response = await fetch(url, { headers: { cookie: `__Host-svc_session=${session}` } })
  const text = await response.text()
  if (response.status !== 200 || !text.endsWith('</html>'))
    throw new Error(`${url} answered ${response.status}`)
}
