/** The performance targets of the product: each is a figure from one run, and its bound. */
import { productName } from '../contestants/contestant.ts'
import { ratio } from './statistics.ts'
import { find, type Summary } from './summary.ts'
import type { Workload } from '../load/workloads.ts'

export interface Target {
  readonly name: string
  readonly bound: { readonly at_least: number } | { readonly at_most: number }
  readonly unit: '×' | 'MB' | 'ms' | ''
  /** Absent if the run did not measure what is needed. */
  readonly figure?: number
  /** What the figure belongs to, if that is not in the name. */
  readonly of?: string
  readonly met?: boolean
}

type Figure = 'per_second' | 'p50_ms' | 'p99_ms' | 'cpu_total_us'
type Bound = Target['bound']

/** Every peer that a target is compared with: a name without a variant would leave its target unmeasured. */
export const judgingPeers = [
  'monolith-begin',
  'monolith-statement',
  'monolith-statement-4x1',
  'nestjs-begin',
  'moleculer-begin',
  'moleculer-statement',
]

const monoliths = ['monolith-begin', 'monolith-statement', 'monolith-statement-4x1']
const oneStatement = ['monolith-statement', 'monolith-statement-4x1']

export function targetsOf(summaries: readonly Summary[]): Target[] {
  const at = (workload: Workload, connections: number, variant: string) =>
    find(summaries, { workload, connections, variant })

  /** The product against the peer that is best in that figure. */
  const against = (
    name: string,
    [workload, connections, figure]: [Workload, number, Figure],
    peers: readonly string[],
    bound: Bound,
  ): Target => {
    const measured = peers.flatMap(peer => {
      const value = at(workload, connections, peer)?.[figure]
      return value === undefined ? [] : [{ peer, value }]
    })
    const more = figure === 'per_second'
    const [best] = measured.sort((a, b) => (more ? b.value - a.value : a.value - b.value))
    return judge({
      name,
      bound,
      unit: '×',
      figure: ratio(at(workload, connections, productName)?.[figure], best?.value),
      ...(peers.length > 1 && best && { of: best.peer }),
    })
  }
  const offers = (connections: number): [Workload, number, Figure] => ['product', connections, 'per_second']

  return [
    against('POST /offers, 32 connections: requests/s, monolith with begin', offers(32), ['monolith-begin'], {
      at_least: 2.4,
    }),
    against(
      'POST /offers, 32: requests/s, monolith with one statement on four clients',
      offers(32),
      ['monolith-statement-4x1'],
      { at_least: 1.15 },
    ),
    against('POST /offers, 128: requests/s, the same', offers(128), ['monolith-statement-4x1'], {
      at_least: 1.4,
    }),
    against('POST /offers, 32: requests/s, NestJS with begin', offers(32), ['nestjs-begin'], {
      at_least: 3.6,
    }),
    against('POST /offers, 32: requests/s, Moleculer with begin', offers(32), ['moleculer-begin'], {
      at_least: 3.6,
    }),
    against(
      'POST /offers, 32: requests/s, Moleculer with one statement',
      offers(32),
      ['moleculer-statement'],
      {
        at_least: 2.3,
      },
    ),
    against('POST /offers, 32: requests/s, pgbench', offers(32), ['pgbench'], { at_least: 0.4 }),
    against(
      'POST /offers, 32: CPU per request, monolith with begin',
      ['product', 32, 'cpu_total_us'],
      ['monolith-begin'],
      { at_most: 0.4 },
    ),
    ...[32, 256].flatMap(connections => [
      against(
        `POST /offers, ${connections}: p99, monolith with begin`,
        ['product', connections, 'p99_ms'],
        ['monolith-begin'],
        { at_most: 1 },
      ),
      against(
        `POST /offers, ${connections}: p99, best monolith`,
        ['product', connections, 'p99_ms'],
        monoliths,
        {
          at_most: 1,
        },
      ),
    ]),
    against(
      'POST /offers, 1: p50, best monolith with one statement',
      ['product', 1, 'p50_ms'],
      oneStatement,
      {
        at_most: 2.2,
      },
    ),
    against('GET /api_tokens, 32: requests/s, best monolith', ['tokens', 32, 'per_second'], monoliths, {
      at_least: 1.1,
    }),
    residentTarget(summaries),
  ]
}

/** Fills in whether the figure, if there is one, is within the bound. */
export function judge(target: Omit<Target, 'met'>): Target {
  const { figure, bound } = target
  if (figure === undefined || !Number.isFinite(figure)) return { ...target, figure: undefined }
  return { ...target, met: 'at_least' in bound ? figure >= bound.at_least : figure <= bound.at_most }
}

/** The largest process of the product in any of the loads. */
function residentTarget(summaries: readonly Summary[]): Target {
  const [largest] = summaries
    .filter(({ variant }) => variant === productName)
    .flatMap(({ workload, connections, resident_mb = {} }) =>
      Object.entries(resident_mb).map(([name, mb]) => ({ of: `${name}, ${workload} at ${connections}`, mb })),
    )
    .sort((a, b) => b.mb - a.mb)
  return judge({
    name: 'Resident memory of a process of the product under load',
    bound: { at_most: 110 },
    unit: 'MB',
    figure: largest?.mb,
    ...(largest && { of: largest.of }),
  })
}
