/** Pages of the console at twenty requests a second, each in turn, in a workspace with a thousand of what lists show. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { DevFile } from '@svc/local/seed-demo'
import { fillTables } from '@svc/testing/statements/fill-tables'
import postgres from 'postgres'
import { postgresSettings } from '../contestants/field.ts'
import { startProduct } from '../contestants/product.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import type { Options } from '../options.ts'
import { decimals, table, targetTable, whole } from '../report/report.ts'
import { judge } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { copySeed } from '../seed.ts'
import { urlOfDatabase } from '../servers.ts'
import type { Surroundings } from './compare.ts'

const name = 'console'
const perSecond = 20
/** Offers of the workspace, which has a tenth of all. */
const rows = 1000

const pages = [
  '',
  '/offers',
  '/orders',
  '/installs',
  '/catalogue',
  '/clusters',
  '/tokens',
  '/webhooks',
].concat(...['/activity', '/activity/audit-log', '/members', '/settings', '/offers/new'])

export async function consolePages(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  say('  … PostgreSQL, the seed and the product')
  const { servers, seed } = await setScene(cleanup, 1, postgresSettings)
  await copySeed(servers, name)
  const { stack } = await startProduct(servers, cleanup, { name, database: name })
  const machine = await describeMachine(servers, stack.nats?.port)
  const sql = postgres(urlOfDatabase(servers.postgres.url, name), { max: 2, onnotice: () => {} })
  cleanup.add(() => sql.end({ timeout: 1 }))
  await fillTables(sql, { offers: 10 * rows, tokens: rows, ...seed })
  const dev = JSON.parse(await readFile(join(servers.folder, 'seed', 'dev.json'), 'utf8')) as DevFile
  const root = `${stack.gateways[0]?.url}/console/${dev.workspace_id}`
  const cookie = `__Host-svc_session=${dev.owner.session_token}`

  for (const page of pages) await open(root + page, cookie)
  const times: Record<string, number[]> = Object.fromEntries(pages.map(page => [page, []]))
  for (let round = 1; round <= options.rounds; round++) {
    say(`${round}/${options.rounds}`)
    await openAtRate(options.seconds, async page => void times[page]?.push(await open(root + page, cookie)))
  }

  const all = Object.values(times).flat()
  const targets = [
    judge({
      name: `Pages of the console at ${perSecond} requests/s, 95th percentile`,
      bound: { at_most: 150 },
      unit: 'ms',
      figure: percentile(all, 0.95),
    }),
  ]
  const report = [
    `# Pages of the console, ${perSecond} a second\n\n${machineLine(machine)}`,
    table(
      ['page', 'requests', 'p50 ms', 'p95 ms', 'worst ms'],
      [...Object.entries(times), ['all', all] as const].map(([page, found]) => [
        ...[page || 'home', whole(found.length), decimals(percentile(found, 0.5))],
        ...[decimals(percentile(found, 0.95)), decimals(Math.max(...found))],
      ]),
    ),
    targetTable(targets),
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, name)
  const json = JSON.stringify({ machine, targets, times }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}

/** An open loop: whether the answers come or not, the next request is sent. */
async function openAtRate(seconds: number, ask: (page: string) => Promise<void>) {
  const began = performance.now()
  const asked: Promise<void>[] = []
  for (let at = 0; at < seconds * perSecond; at++) {
    const wait = began + (at * 1000) / perSecond - performance.now()
    if (wait > 0) await delay(wait)
    asked.push(ask(pages[at % pages.length] ?? ''))
  }
  await Promise.all(asked)
}

/** @returns milliseconds until the whole page is here */
async function open(url: string, cookie: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(url, { headers: { cookie } })
  const text = await response.text()
  if (response.status !== 200 || !text.endsWith('</html>'))
    throw new Error(`${url} answered ${response.status}`)
  return performance.now() - began
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}
