/** Every statement of the product on tables with ten years of rows: the disk that they take, and what each statement reads. */
import { fillTables } from '@svc/testing/statements/fill-tables'
import { measuredPlans, type Plan } from '@svc/testing/statements/plans'
import { startStatementScene } from '@svc/testing/statements/statement-scene'
import { nameOf } from '@svc/testing/statements/statements'
import { useFilters } from '@svc/testing/statements/use-filters'
import { requester } from '@svc/testing/stack/driven-stack'
import { describeMachine } from '../machine.ts'
import { diskSection } from '../report/disk.ts'
import { studyReport } from '../report/report.ts'
import { decimals, groupBy, table, whole } from '../report/table.ts'
import { publish, type Surroundings } from './command.ts'

const years = 10
const shown = 40

// Indexes are built in memory; nothing here is to outlive the run.
const settings = {
  ...measuredPlans,
  // Each row of a purge checks foreign keys: gigabytes of log.
  'auto_explain.log_nested_statements': 'off',
  shared_buffers: '2GB',
  maintenance_work_mem: '1GB',
  max_wal_size: '2GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  full_page_writes: 'off',
}

export async function statements(surroundings: Surroundings): Promise<void> {
  const { options, cleanup, say } = surroundings
  const rows = Math.max(...options.sizes)
  say(
    `  … ${whole(rows)} each of offers, orders, installs, events and tokens: about ${whole(2 + rows / 2e5)} min on a quiet machine, ${decimals(0.5 + (rows / 1e6) * 7)} GB of disk and the log`,
  )
  const start = () =>
    startStatementScene({ postgresSettings: settings, env: { ACTIVITY_RETENTION_DAYS: '36500' } })
  const scene = await cleanup.own(start, started => started.stop())
  const { dev, sql, baseUrls, stack } = scene.running
  say(`  … filling ${stack.postgres?.data}, server at ${new URL(stack.databaseUrl).port}`)
  const { workspace_id, product_id, package_version_id } = dev
  // Indexes are made last, and sweeps without them would read whole tables meanwhile.
  const processes = Object.values(stack.processes).flat()
  await Promise.all(processes.map(process => process.stop()))
  await fillTables(sql, { offers: rows, tokens: rows, years, workspace_id, product_id, package_version_id })
  await Promise.all(processes.map(process => process.start()))
  const disk = await diskSection(sql)
  await scene.forget()

  say('  … every statement')
  await scene.executeAll()
  const baseUrl = baseUrls[0] ?? ''
  say('  … lists of the workspace with a tenth of it, and of one with little')
  for (const workspace of [workspace_id, await joinSmall()]) {
    await useFilters({ dev: { ...dev, workspace_id: workspace }, baseUrl }, 5)
    for (const words of ['customer', 'buyer', `crm-${rows - 1}`, 'nobody']) {
      await requester(baseUrl)('GET', `/search?q=${words}`, dev.owner.session_token, { workspace })
    }
  }
  const unseen = await scene.unseen()
  const [row] = await sql<{ server_version: string }[]>`show server_version`
  const machine = describeMachine({ postgres: row?.server_version ?? 'unknown', nats: '–' })
  const worst = worstOf(scene.plans())
  const title = `Every statement, with ${whole(rows)} each of offers, orders, installs, events and tokens over ${years} years`
  const bySeconds = [...worst].sort((a, b) => b.ms - a.ms)
  const sections = [
    `## Disk\n\n${disk}`,
    `## Most read\n\n${statementTable(worst)}`,
    `## Slowest\n\n${statementTable(bySeconds)}`,
    `Not executed: ${unseen.map(({ name }) => name).join(', ') || 'none'}.`,
  ]
  await publish(surroundings, {
    report: studyReport({ title, machine, sections }),
    json: { machine, rows, statements: worst },
  })

  /** A workspace of the long tail, which the owner joins. */
  async function joinSmall() {
    const [small] = await sql<{ id: string }[]>`
      insert into auth_tokens.memberships (user_id, workspace_id, role)
      select u.id, w.id, 'owner' from auth_tokens.users u, (
        select id from auth_tokens.workspaces where id like 'ws_0%' order by id desc offset 10 limit 1
      ) w
      where u.email = ${dev.owner.email}
      returning workspace_id as id`
    return small?.id ?? ''
  }
}

interface Worst extends Pick<Plan, 'ms' | 'pages' | 'removed' | 'seqScans'> {
  readonly name: string
  readonly executed: number
  /** The execution that read most. */
  readonly plan: Plan
}

/** The execution of each statement that read most, those first that read most. */
const worstOf = (plans: readonly Plan[]): Worst[] =>
  groupBy(plans, ({ query }) => nameOf(query) ?? query.slice(0, 80))
    .map(group => {
      const plan = group.reduce((most, one) => (one.pages > most.pages ? one : most))
      return {
        name: nameOf(plan.query) ?? plan.query.slice(0, 80),
        executed: group.length,
        ms: Math.max(...group.map(({ ms }) => ms)),
        pages: plan.pages,
        removed: Math.max(...group.map(({ removed }) => removed)),
        seqScans: [...new Set(group.flatMap(({ seqScans }) => seqScans))],
        plan,
      }
    })
    .sort((a, b) => b.pages - a.pages)

const statementTable = (found: readonly Worst[]) =>
  table(
    ['statement', 'executed', 'pages at most', 'rows in vain at most', 'ms at most', 'read as a whole'],
    found
      .slice(0, shown)
      .map(({ name, executed, pages, removed, ms, seqScans }) => [
        name,
        ...[executed, pages, removed].map(whole),
        decimals(ms),
        seqScans.join(', '),
      ]),
  )
