/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util'
import { type Workload, workloadNames } from './load/workloads.ts'

const flags = {
  variants: { type: 'string' },
  workloads: { type: 'string' },
  connections: { type: 'string' },
  rounds: { type: 'string' },
  seconds: { type: 'string' },
  minutes: { type: 'string' },
  sizes: { type: 'string' },
  out: { type: 'string' },
  peers: { type: 'string' },
  bare: { type: 'boolean' },
  quick: { type: 'boolean' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
} as const
type Flag = keyof typeof flags

/** The commands, and which flags each of them reads. */
const commands = {
  compare: [
    'variants',
    'workloads',
    'connections',
    'rounds',
    'seconds',
    'out',
    'peers',
    'bare',
    'quick',
    'list',
    'help',
  ],
  targets: ['out', 'peers', 'quick', 'help'],
  drift: ['minutes', 'connections', 'out', 'help'],
  replicas: ['connections', 'rounds', 'seconds', 'out', 'help'],
  poolers: ['connections', 'rounds', 'seconds', 'out', 'help'],
  revocations: ['rounds', 'seconds', 'out', 'help'],
  webhooks: ['rounds', 'seconds', 'out', 'help'],
  console: ['rounds', 'seconds', 'out', 'help'],
  start: ['rounds', 'out', 'help'],
  profile: ['connections', 'seconds', 'out', 'help'],
  growth: ['sizes', 'workloads', 'connections', 'rounds', 'seconds', 'out', 'help'],
} as const satisfies Record<string, readonly Flag[]>
export type Command = keyof typeof commands

export interface Options {
  readonly command: Command
  /** Names; undefined: all of them. */
  readonly variants: readonly string[] | undefined
  readonly workloads: readonly Workload[]
  /** Numbers of connections; undefined: as each workload has them. */
  readonly connections: readonly number[] | undefined
  readonly rounds: number
  /** Length of one window. */
  readonly seconds: number
  readonly minutes: number
  /** Numbers of offers, ascending. */
  readonly sizes: readonly number[]
  readonly out: string | undefined
  /** The folder of the peers, with its variants.json. */
  readonly peers: string | undefined
  /** The product with the features of its peers. */
  readonly bare: boolean
  readonly quick: boolean
  readonly list: boolean
  readonly help: boolean
}

/** What is wrong with the command line, with the valid values. */
export class UsageError extends Error {}

export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  const [command = 'compare', ...more] = positionals
  if (!isCommand(command) || more.length > 0) {
    throw new UsageError(
      `There is no command "${positionals.join(' ')}". Commands: ${Object.keys(commands).join(', ')} (compare when none is named).`,
    )
  }
  const read: readonly Flag[] = commands[command]
  for (const flag of Object.keys(values) as Flag[]) {
    if (!read.includes(flag))
      throw new UsageError(`"${command}" has no --${flag}. Its flags: ${listOf(read)}.`)
  }
  const quick = values.quick ?? false
  return {
    command,
    variants: list(values.variants),
    workloads: (list(values.workloads) ?? (quick ? ['product'] : workloadNames)).map(workload),
    connections:
      list(values.connections)?.map(text => whole('connections', text, 1024)) ?? (quick ? [32] : undefined),
    rounds: whole('rounds', values.rounds ?? String(defaultRounds(command, quick)), 1000),
    seconds: decimal('seconds', values.seconds ?? defaultSeconds(command, quick), 3600),
    sizes: (list(values.sizes) ?? usualSizes)
      .map(text => whole('sizes', text, 50_000_000))
      .sort((a, b) => a - b),
    minutes: whole('minutes', values.minutes ?? '5', 600),
    out: values.out,
    peers: values.peers,
    bare: values.bare ?? false,
    quick,
    list: values.list ?? false,
    help: values.help ?? false,
  }
}

const usualSizes = ['10000', '1000000', '5000000']

/** A 99th percentile at 1,000 requests a second takes longer than a rate. */
const defaultSeconds = (command: Command, quick: boolean) =>
  command === 'revocations' ? '6' : quick ? '1' : '3'

const defaultRounds = (command: Command, quick: boolean) => (command === 'start' ? 10 : quick ? 1 : 5)

/** The names among `known` that were asked for. */
export function choose(asked: readonly string[] | undefined, known: readonly string[]): string[] {
  const unknown = asked?.filter(name => !known.includes(name)) ?? []
  if (unknown.length > 0) {
    throw new UsageError(`There is no variant ${unknown.join(', ')}. Variants: ${known.join(', ')}.`)
  }
  return known.filter(name => asked === undefined || asked.includes(name))
}

export const help = `npm run bench -- [command] [flags]

  compare       (when no command is named) the product against its peers and floors, interleaved
  targets       all that the targets need in one run, and whether each is met; about 14 minutes
  drift         the product alone for minutes: what becomes of its CPU per request and memory
  replicas      the product with one and with two replicas of each service
  poolers       the product at PostgreSQL itself and through PgBouncer, in session and in transaction mode
  revocations   the product at 1,000 requests a second, calm and while ten API tokens a second are revoked
  webhooks      POST /offers without webhooks, and with five endpoints that are told of each offer
  console       pages of the console at 20 requests a second
  start         cold start of each process
  profile       a flame graph of each process under load
  growth        the product on tables with many rows beside the product on empty ones

  --variants a,b         only these (see --list)
  --workloads a,b        ${workloadNames.join(', ')}
  --connections 1,32     for every workload; else 1, 32 and 256, and 128 for "product"
  --rounds n             5, of "start" 10
  --seconds n            length of a window, 3, of "revocations" 6
  --minutes n            of "drift", 5
  --sizes a,b            of "growth": numbers of offers, 10000,1000000,5000000
  --out folder           where JSON, tables and chart go, apps/bench/results
  --peers folder         other peers than apps/bench/peers
  --bare                 the product without events and rate limits, which its peers do not have
  --quick                a smoke run: "product" at 32 connections, one round of 1 s; of "targets" one of 0.5 s
  --list                 shows variants, workloads and connections
`

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true })
  } catch (error) {
    const { message } = error as Error
    // parseArgs adds an explanation of how an argument could begin with a dash.
    throw new UsageError(`${message.split('. ')[0]}. Flags: ${listOf(Object.keys(flags))}.`)
  }
}

const isCommand = (name: string): name is Command => Object.hasOwn(commands, name)

const listOf = (names: readonly string[]) => names.map(name => `--${name}`).join(', ')

function list(text: string | undefined): string[] | undefined {
  const names = text
    ?.split(',')
    .map(name => name.trim())
    .filter(Boolean)
  if (names?.length === 0) throw new UsageError('A list of names or numbers, separated by commas, is empty.')
  return names && [...new Set(names)]
}

function workload(name: string): Workload {
  const found = workloadNames.find(known => known === name)
  if (!found) throw new UsageError(`There is no workload ${name}. Workloads: ${workloadNames.join(', ')}.`)
  return found
}

function whole(flag: Flag, text: string, most: number): number {
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new UsageError(`--${flag} takes whole numbers from 1 to ${most}, not "${text}".`)
}

function decimal(flag: Flag, text: string, most: number): number {
  const value = Number(text)
  if (value >= 0.1 && value <= most) return value
  throw new UsageError(`--${flag} takes a number from 0.1 to ${most}, not "${text}".`)
}
