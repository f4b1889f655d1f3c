/** The performance targets of the product: each is a figure from one run, and its bound. */
import {
  calm,
  oneReplica,
  productName,
  restricted,
  revoking,
  twoReplicas,
} from '../contestants/contestant.ts'
import { revocationsPerSecond, steadyConnections, steadyRate } from '../contestants/revocations.ts'
import { type Workload, workloadLabels } from '../load/workloads.ts'
import { ratio } from './statistics.ts'
import { type Figure, find, type Summary } from './summary.ts'

export interface Target {
  readonly name: string
  readonly bound: Bound
  readonly unit: '×' | 'MB' | 'ms' | '%' | ''
  /** Absent if the run did not measure what is needed. */
  readonly figure?: number
  /** What the figure belongs to, if that is not in the name. */
  readonly of?: string
  readonly met?: boolean
}

type Bound = { readonly at_least: number } | { readonly at_most: number }

/** A bound on a variant's figure in units of another's: of the one that does best by it, where several are named. */
export interface RelativeTarget {
  readonly workload: Workload
  readonly connections: number
  readonly figure: Figure
  readonly variant: string
  readonly peers: readonly string[]
  readonly bound: Bound
  /** How the load is called, if not by its connections. */
  readonly load?: string
}

const begin = ['monolith-begin']
const fourClients = ['monolith-statement-4x1']
const monoliths = [...begin, 'monolith-statement', ...fourClients]

const product = (
  [workload, connections]: readonly [Workload, number],
  figure: Figure,
  peers: readonly string[],
  bound: Bound,
): RelativeTarget => ({ workload, connections, figure, variant: productName, peers, bound })

export const revocationsTarget: RelativeTarget = {
  workload: 'installs',
  connections: steadyConnections,
  figure: 'p99_ms',
  variant: revoking,
  peers: [calm],
  bound: { at_most: 1.1 },
  load: `${steadyRate.toLocaleString('en-US')} requests/s, ${revocationsPerSecond} revocations/s`,
}

export const relativeTargets: readonly RelativeTarget[] = [
  product(['product', 32], 'per_second', begin, { at_least: 2.7 }),
  product(['product', 32], 'per_second', fourClients, { at_least: 1.3 }),
  product(['product', 32], 'per_second', ['nestjs-begin'], { at_least: 3 }),
  product(['product', 32], 'per_second', ['moleculer-begin'], { at_least: 2.7 }),
  product(['product', 32], 'per_second', ['moleculer-statement'], { at_least: 2 }),
  product(['product', 32], 'per_second', ['pgbench'], { at_least: 0.5 }),
  product(['product', 32], 'cpu_total_us', begin, { at_most: 0.37 }),
  product(['product', 32], 'p99_ms', monoliths, { at_most: 1 }),
  product(['product', 128], 'per_second', begin, { at_least: 3.6 }),
  product(['product', 128], 'per_second', fourClients, { at_least: 1.8 }),
  product(['product', 128], 'per_second', ['pgbench'], { at_least: 0.9 }),
  product(['product', 1], 'p50_ms', fourClients, { at_most: 1.5 }),
  product(['tokens', 1], 'p50_ms', fourClients, { at_most: 2 }),
  product(['tokens', 32], 'per_second', fourClients, { at_least: 1.15 }),
  product(['installs', 32], 'per_second', fourClients, { at_least: 1.05 }),
  product(['settings', 32], 'per_second', fourClients, { at_least: 0.85 }),
  {
    ...product(['product', 32], 'per_second', [oneReplica], { at_least: 1 }),
    variant: twoReplicas,
  },
  {
    ...product(['installs', 32], 'cpu_total_us', [productName], { at_most: 1.02 }),
    variant: restricted,
  },
  revocationsTarget,
]

export const targetsOf = (summaries: readonly Summary[]): Target[] => [
  ...relativeTargets.map(target => judgeRelative(target, summaries)),
  ...residentTargets(summaries),
]

const figureNames: Record<Figure, string> = {
  per_second: 'requests/s',
  p50_ms: 'p50',
  p99_ms: 'p99',
  cpu_total_us: 'CPU per request',
}

export function judgeRelative(target: RelativeTarget, summaries: readonly Summary[]): Target {
  const { workload, connections, figure, variant, peers, bound, load = connections } = target
  const of = (name: string) => find(summaries, { workload, connections, variant: name })?.[figure]
  const [request] = workloadLabels[workload].split(':')
  const measured = peers.flatMap(peer => {
    const value = of(peer)
    return value === undefined ? [] : [{ peer, value }]
  })
  const [best] = measured.sort((a, b) => (figure === 'per_second' ? b.value - a.value : a.value - b.value))
  return judge({
    name: `${request}, ${load}: ${figureNames[figure]}, ${variant} ÷ ${peers.length > 1 ? 'best monolith' : peers[0]}`,
    bound,
    unit: '×',
    figure: ratio(of(variant), best?.value),
    of: peers.length > 1 ? best?.peer : undefined,
  })
}

/** Fills in whether the figure, if there is one, is within the bound. */
export function judge(target: Omit<Target, 'met'>): Target {
  const { figure, bound } = target
  if (figure === undefined || !Number.isFinite(figure)) return { ...target, figure: undefined }
  return { ...target, met: 'at_least' in bound ? figure >= bound.at_least : figure <= bound.at_most }
}

/** The largest process of the product in any of the loads: the gateway, and the others. */
function residentTargets(summaries: readonly Summary[]): Target[] {
  const all = summaries.flatMap(({ variant, workload, connections, resident_mb = {} }) =>
    Object.entries(variant === productName ? resident_mb : {}).map(([name, mb]) => {
      return { name, mb, of: `${name}, ${workload} at ${connections}` }
    }),
  )
  return [
    { name: 'the gateway', at_most: 150, among: all.filter(({ name }) => name === 'gateway') },
    {
      name: 'any other process of the product',
      at_most: 120,
      among: all.filter(({ name }) => name !== 'gateway'),
    },
  ].map(({ name, at_most, among }) => {
    const [largest] = among.sort((a, b) => b.mb - a.mb)
    const bound = { at_most }
    return judge({
      ...{ name: `Resident memory of ${name} under load`, bound },
      ...{ unit: 'MB', figure: largest?.mb, of: largest?.of },
    })
  })
}
