/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util'
import { type Workload, workloadLabels, workloadNames } from './load/workloads.ts'

const flags = {
  variants: ['a,b', 'only these'],
  workloads: ['a,b', workloadNames.join(', ')],
  connections: ['1,32', 'of "compare" for every workload; else 1, 32 and 256, and 128 for "product"'],
  rounds: ['n', '5, of "start" 10'],
  seconds: ['n', 'length of a window, 3, of "revocations" 6, of "limit" 2'],
  minutes: ['n', '5'],
  sizes: [
    'a,b',
    'numbers of offers, 10000,1000000,5000000, of "statements" one, 100000; of "fleet" of gateways, 10,100,1000',
  ],
  quick: [
    '',
    'a smoke run: "product" at 32 connections, one round of 1 s; of "targets" one of 0.5 s; of "fleet" up to 100 gateways',
  ],
  out: ['folder', 'where JSON, tables and chart go, apps/bench/results'],
  help: ['', ''],
} as const
type Flag = keyof typeof flags

/** What each command measures, and which flags it reads besides --out and --help. */
const commands = {
  compare: [
    'the product beside its peers and pgbench (when no command is named)',
    ['variants', 'workloads', 'connections', 'rounds', 'seconds', 'quick'],
  ],
  targets: ['all that the targets need, and whether each is met; about 14 minutes', ['quick']],
  drift: ['the product alone for minutes: CPU per request and memory', ['minutes', 'connections']],
  poolers: ['PostgreSQL itself and PgBouncer in both modes', ['connections', 'rounds', 'seconds']],
  limit: [
    'the product beside the bare pieces of a request: their sum in CPU',
    ['connections', 'rounds', 'seconds'],
  ],
  revocations: ['1,000 requests a second, calm and with ten revocations a second', ['rounds', 'seconds']],
  fleet: ['revocations and renewals with up to a thousand gateways, simulated', ['sizes', 'quick']],
  webhooks: ['POST /offers with and without webhooks, and beside an abuser', ['rounds', 'seconds']],
  console: ['pages of the console at 20 requests a second', ['rounds', 'seconds']],
  start: ['cold start of each process', ['rounds']],
  profile: ['a flame graph of each process under load', ['connections', 'seconds']],
  scaling: [
    'one to four replicas, each with a quota of processor time; needs Linux, cgroups and root',
    ['workloads', 'connections', 'rounds', 'seconds'],
  ],
  growth: [
    'tables with many rows beside empty ones; needs 10 GB of disk',
    ['sizes', 'workloads', 'connections', 'rounds', 'seconds'],
  ],
  statements: ['ten years of rows: disk of each table, and what each statement reads', ['sizes']],
} as const satisfies Record<string, readonly [string, readonly Flag[]]>
export type Command = keyof typeof commands

export interface Options {
  readonly command: Command
  /** Names; undefined: all of them. */
  readonly variants: readonly string[] | undefined
  readonly workloads: readonly Workload[]
  /** Numbers of connections; undefined: as the command has them. */
  readonly connections: readonly number[] | undefined
  readonly rounds: number
  /** Length of one window. */
  readonly seconds: number
  readonly minutes: number
  /** Numbers of offers, or of gateways, ascending. */
  readonly sizes: readonly number[]
  readonly out: string | undefined
  readonly quick: boolean
  readonly help: boolean
}

/** What is wrong with the command line, with the valid values. */
export class UsageError extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  const name = positionals.length > 0 ? positionals.join(' ') : 'compare'
  const command = one(name, Object.keys(commands) as Command[], 'command')
  const known: readonly string[] = [...commands[command][1], 'out', 'help']
  for (const flag of Object.keys(values)) {
    if (!known.includes(flag))
      throw new UsageError(`"${command}" has no --${flag}. Its flags: ${listOf(known)}.`)
  }
  const text = (flag: Flag) => values[flag] as string | undefined
  const numbers = (flag: Flag, most: number) => list(text(flag))?.map(item => number(flag, item, 1, most))
  const quick = values.quick === true
  return {
    command,
    variants: list(text('variants')),
    workloads:
      list(text('workloads'))?.map(item => one(item, workloadNames, 'workload')) ??
      (quick ? ['product'] : workloadNames),
    connections: numbers('connections', 1024) ?? (quick ? [32] : undefined),
    rounds: number('rounds', text('rounds') ?? (command === 'start' ? '10' : quick ? '1' : '5'), 1, 1000),
    seconds: number('seconds', text('seconds') ?? usualSeconds(command, quick), 0.1, 3600),
    sizes: (numbers('sizes', 50_000_000) ?? usualSizes(command, quick)).sort((a, b) => a - b),
    minutes: number('minutes', text('minutes') ?? '5', 1, 600),
    out: text('out'),
    quick,
    help: values.help === true,
  }
}

/** A 99th percentile at 1,000 requests a second takes longer than a rate. */
const usualSeconds = (command: Command, quick: boolean) =>
  command === 'revocations' ? '6' : command === 'limit' ? '2' : quick ? '1' : '3'

function usualSizes(command: Command, quick: boolean): number[] {
  if (command === 'statements') return [100_000]
  if (command === 'fleet') return [10, 100, ...(quick ? [] : [1000])]
  return [10_000, 1_000_000, 5_000_000]
}

/** The name, if it is among the known ones. */
export function one<Name extends string>(name: string, known: readonly Name[], what: string): Name {
  const found = known.find(other => other === name)
  if (found) return found
  throw new UsageError(`There is no ${what} "${name}". There are: ${known.join(', ')}.`)
}

const lines = (rows: readonly (readonly [string, string])[]) =>
  rows.map(([left, right]) => `  ${left.padEnd(22)} ${right}`.trimEnd()).join('\n')

export const help = `npm run bench -- [command] [flags]

${lines(Object.entries(commands).map(([name, [about]]) => [name, about]))}

${lines(Object.entries(flags).map(([name, [value, about]]) => [`--${name} ${value}`, about]))}

Workloads:
${lines(workloadNames.map(name => [name, workloadLabels[name]]))}`

function parse(args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, [value]]) => [name, { type: value ? 'string' : 'boolean' } as const]),
  )
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    // parseArgs adds an explanation of how an argument could begin with a dash.
    const [message] = (error as Error).message.split('. ')
    throw new UsageError(`${message}. Flags: ${listOf(Object.keys(flags))}.`)
  }
}

const listOf = (names: readonly string[]) => names.map(name => `--${name}`).join(', ')

function list(text: string | undefined): string[] | undefined {
  const names = text?.split(',').flatMap(name => name.trim() || [])
  if (names?.length === 0) throw new UsageError('A list of names or numbers, separated by commas, is empty.')
  return names && [...new Set(names)]
}

function number(flag: Flag, text: string, least: number, most: number): number {
  const value = Number(text)
  if (value >= least && value <= most && (least < 1 || Number.isInteger(value))) return value
  const kind = least < 1 ? 'a number' : 'whole numbers'
  throw new UsageError(`--${flag} takes ${kind} from ${least} to ${most}, not "${text}".`)
}
