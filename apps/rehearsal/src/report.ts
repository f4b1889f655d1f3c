/** The table, and its place in the documentation. */
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { findNatsServer } from '@svc/local/servers/embedded-nats'
import { execFileSync } from 'node:child_process'
import type { Audit } from './audit.ts'
import type { Figures } from './measure.ts'
import type { Options } from './options.ts'
import type { Product } from './product.ts'
import type { Step } from './step.ts'
import type { MemoryPeak } from './watch-memory.ts'

export interface StepResult {
  readonly step: Step
  readonly figures: Figures
  readonly accounts: Audit
  readonly uncaught: number
  readonly peaks: readonly MemoryPeak[]
  /** Why it does not pass; empty if it does. */
  readonly problems: readonly string[]
}

const begin = '<!-- rehearsal: begin -->'
const end = '<!-- rehearsal: end -->'

export async function report(
  outcomes: readonly StepResult[],
  events: string,
  options: Options,
  product: Product,
): Promise<string> {
  const problems = outcomes.flatMap(({ step, problems }) =>
    problems.map(problem => `- Row ${step.row}, ${step.title}: ${problem}.`),
  )
  return [
    `${new Date().toISOString().slice(0, 10)}, ${await machine(product)}. ${options.connections} connections${options.quick ? ', `--quick`' : ''}.`,
    '',
    '| row | fault | lasted | requests | failed | in flight at the fault | slowest answer | back at 99.9 % after the fault | lost, duplicates, half-writes | passes |',
    '|-|-|-|-|-|-|-|-|-|-|',
    ...outcomes.map(line),
    '',
    `Acknowledged writes: ${sum(outcomes.map(({ accounts }) => accounts.acknowledged))}. Hung calls ${sum(outcomes.map(({ figures }) => figures.hung))}, uncaught exceptions ${sum(outcomes.map(({ uncaught }) => uncaught))}, answers without a documented body ${sum(outcomes.map(({ figures }) => figures.undocumented))}, executed after the deadline ${sum(outcomes.map(({ accounts }) => accounts.late.length))}. ${mostMemory(outcomes)} ${events}`,
    ...(problems.length > 0 ? ['', 'Not passed:', ...problems] : []),
  ].join('\n')
}

/** Puts the table between its two marks in the file. */
export async function writeReport(path: string, text: string): Promise<void> {
  const before = await readFile(path, 'utf8')
  const [from, to] = [before.indexOf(begin), before.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`${path} has no lines "${begin}" and "${end}" to write between.`)
  await writeFile(path, `${before.slice(0, from + begin.length)}\n\n${text}\n\n${before.slice(to)}`)
}

function line({ step, figures, accounts, problems }: StepResult): string {
  const { requests, failed, kinds, worstMs, faults } = figures
  const why = [...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')
  const inFlight = faults.map(fault => fault.inFlight)
  const cells = [
    step.row,
    step.title + (faults.length > 1 ? `, ${faults.length} times` : ''),
    lasted(faults),
    requests,
    failed === 0
      ? '0'
      : `${failed}: ${why}${faults.length > 1 ? ` (at most ${Math.max(...faults.map(fault => fault.failed))} at once)` : ''}`,
    inFlight.length === 0 ? '' : span(inFlight),
    `${Math.round(worstMs)} ms`,
    backOf(faults),
    [accounts.lost, accounts.duplicated, accounts.halfWritten].join(', '),
    problems.length === 0 ? 'yes' : 'NO',
  ]
  return `| ${cells.join(' | ')} |`
}

/** Seconds; empty for a kill, which is over at once. */
function lasted(faults: Figures['faults']): string {
  const seconds = faults.map(({ at, overAt }) => Math.round((overAt - at) / 100) / 10)
  return seconds.some(each => each >= 1) ? `${span(seconds)} s` : ''
}

/** After its end, and after its beginning if it lasts. */
function backOf(faults: Figures['faults']): string {
  if (faults.length === 0) return ''
  const most = (values: number[]) => `${Math.round(Math.max(...values))} ms`
  const after = most(faults.map(({ backMs }) => backMs))
  const lasting = faults.some(({ at, overAt }) => overAt - at > 1000)
  return lasting ? `${most(faults.map(({ backSinceMs }) => backSinceMs))}; ${after} after its end` : after
}

function span(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  return least === most ? String(least) : `${least}–${most}`
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

async function machine({ sql }: Product): Promise<string> {
  const [row] = await sql<{ server_version: string }[]>`show server_version`
  const nats = execFileSync(await findNatsServer(), ['--version'], { encoding: 'utf8' }).trim()
  const memory = Math.round(totalmem() / 2 ** 30)
  return [
    `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memory} GB, Linux ${release()}`,
    `Node.js ${process.versions.node}, PostgreSQL ${row?.server_version.split(' ')[0]}, ${nats.replace(': v', ' ')}`,
  ].join('; ')
}

/** The process that came closest to its limit. */
function mostMemory(outcomes: readonly StepResult[]): string {
  const [most] = outcomes
    .flatMap(({ peaks }) => peaks)
    .toSorted((one, other) => other.mib / other.limitMib - one.mib / one.limitMib)
  return most
    ? `Most memory: ${most.host} with ${Math.round(most.mib)} of the ${most.limitMib} MiB that the deployment gives it.`
    : ''
}
