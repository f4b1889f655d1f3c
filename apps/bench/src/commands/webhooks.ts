/** The product while offers are made, without webhooks, with endpoints that are told of each, and with those beside an abuser's, in turns. */
import { abused, quiet, telling } from '../contestants/contestant.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { webhookAbuser } from '../contestants/webhook-abuser.ts'
import {
  type Arrival,
  endpoints,
  offersPerSecond,
  steadyConnections,
  webhookContestants,
} from '../contestants/webhooks.ts'
import { startReceiver } from '../load/receiver.ts'
import { decimals, groupBy, table, whole } from '../report/table.ts'
import { studyReport } from '../report/report.ts'
import { median } from '../report/statistics.ts'
import { find, type Summary, summarise } from '../report/summary.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import type { PlannedCell } from './plan.ts'
import { burnIn, runRounds } from './rounds.ts'

export async function webhooks(surroundings: Surroundings): Promise<void> {
  const { options, cleanup } = surroundings
  const base = await setScene(surroundings, steadyConnections)
  const receiver = await cleanup.own(startReceiver, started => started.close())
  const abuser = await cleanup.own(startReceiver, started => started.close())
  const others = { receiver: receiver.pid, abuser: abuser.pid }
  const scene = { ...base, instruments: { ...base.instruments, others } }
  const product = await productContestant('webhooks', scene, { withTests: true })
  await burnIn([product], surroundings)
  const startAbuse = await webhookAbuser(product.product, abuser, cleanup)
  const { seed, machine } = scene
  const { contestants, arrivals } = await webhookContestants({ product, receiver, startAbuse, seed })
  const { rounds, seconds } = options
  const cell = { workload: 'product', rounds, seconds } as const
  // Beside as much as there can be, the abuser's share is less than it asks for.
  const plan = [
    { ...cell, connections: steadyConnections, variants: [quiet, telling, abused] },
    { ...cell, connections: 32, variants: [quiet, telling] },
  ]
  const enter = async ({ variants }: PlannedCell) => contestants.filter(({ name }) => variants.includes(name))
  const windows = await runRounds(plan, { enter }, scene, surroundings)

  const medians = summarise(windows)
  await publish(surroundings, {
    report: studyReport({
      title: `Webhooks: POST /offers, and ${endpoints} endpoints that are told of each, alone and beside 400 that do not answer`,
      notes: [
        `${steadyConnections} connections: ${offersPerSecond} offers a second. 32: as many as there can be.`,
      ],
      machine,
      medians,
      sections: [arrivedTable(arrivals), costLine(medians)],
    }),
    json: { machine, medians, arrivals, windows },
  })
}

/** Medians over the windows. */
const arrivedTable = (arrivals: readonly Arrival[]): string =>
  table(
    ['connections', 'variant', 'deliveries/s', 'p50 ms after the change', 'p99 ms'],
    groupBy(arrivals, ({ connections, variant }) => `${connections} ${variant}`).map(group => {
      const of = (figure: (arrival: Arrival) => number) => median(group.map(figure))
      return [
        ...[String(group[0]?.connections), String(group[0]?.variant)],
        whole(of(({ requests, ms }) => (requests / ms) * 1000)),
        ...[decimals(of(({ p50_ms }) => p50_ms)), decimals(of(({ p99_ms }) => p99_ms))],
      ]
    }),
  )

/** At the same rate of offers, all that is spent more is spent on deliveries. */
function costLine(medians: readonly Summary[]): string {
  const costOf = (variant: string) =>
    find(medians, { workload: 'product', connections: steadyConnections, variant })?.cpu_total_us
  const [without, beside] = [costOf(quiet), costOf(telling)]
  if (without === undefined || beside === undefined) return ''
  return `A delivery costs ${whole((beside - without) / endpoints)} µs of CPU in all processes.`
}
