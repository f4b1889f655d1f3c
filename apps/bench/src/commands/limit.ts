/** The product beside the bare pieces that a request cannot do without: what it costs in units of their sum. */
import {
  bareBusContestant,
  bareHttpContestant,
  bareStatementContestant,
  type CapturedByWorkload,
} from '../contestants/limit/pieces.ts'
import { capture } from '../contestants/limit/capture.ts'
import { bareBus, bareHttp, bareStatement, productName } from '../contestants/contestant.ts'
import { hasPgbench, pgbenchContestant } from '../contestants/pgbench.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { studyReport } from '../report/report.ts'
import { ratio, sum } from '../report/statistics.ts'
import { find, type Summary, summarise } from '../report/summary.ts'
import { decimals, table, whole } from '../report/table.ts'
import { judge, type Target } from '../report/targets.ts'
import { calmPostgres, setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { burnIn, runRounds } from './rounds.ts'

const measured = ['product', 'installs'] as const
const labels = { product: 'POST /offers', installs: 'GET /installs' }
/** A piece has little to compile. */
const pieceBurnInSeconds = 4
const pieces = [bareHttp, bareBus, bareStatement]

export async function limit(surroundings: Surroundings): Promise<void> {
  const { options } = surroundings
  const { rounds, seconds } = options
  const connections = options.connections?.[0] ?? 32
  const log: string[] = []
  const settings = { ...calmPostgres, log_line_prefix: '' }
  const scene = await setScene(surroundings, connections, settings, line => log.push(line))
  const product = await productContestant(productName, scene, { withTests: true })
  const { databaseUrls } = product.product.stack
  const captured: CapturedByWorkload = {
    product: await capture(
      { workload: 'product', operation: 'create_offer', statement: 'offers.insert_offers' },
      product.product,
      scene,
      log,
    ),
    installs: await capture(
      { workload: 'installs', operation: 'list_installs', statement: 'offers.list_owned_installs' },
      product.product,
      scene,
      log,
    ),
  }
  const contestants = [
    product,
    await bareHttpContestant(scene, captured),
    await bareBusContestant(scene, captured),
    await bareStatementContestant(scene, captured, databaseUrls.offers),
    ...(hasPgbench() ? [await pgbenchContestant(scene)] : []),
  ]
  await burnIn([product], surroundings)
  await burnIn(contestants.slice(1), surroundings, pieceBurnInSeconds)
  const plan = measured.map(workload => ({
    ...{ workload, connections, rounds, seconds },
    variants: contestants
      .map(({ name }) => name)
      .filter(name => workload === 'product' || pieces.includes(name) || name === productName),
  }))
  const enter = async ({ variants }: { variants: readonly string[] }) =>
    contestants.filter(({ name }) => variants.includes(name))
  const windows = await runRounds(plan, { enter }, scene, surroundings)

  const medians = summarise(windows)
  const { machine } = scene
  const of = { medians, connections }
  const targets = measured.flatMap(workload => targetsOf(workload, of))
  const notes = hasPgbench() ? [] : ['pgbench is not on PATH: that floor is skipped.']
  await publish(surroundings, {
    report: studyReport({
      ...{ title: 'Against the limit', machine, notes, medians, targets },
      sections: [sumTable(of)],
    }),
    json: { machine, targets, medians, windows },
  })
}

type Of = { readonly medians: readonly Summary[]; readonly connections: number }

/** CPU per request in µs of a variant, or of one of its processes. */
const cpuOf = (workload: (typeof measured)[number], variant: string, { medians, connections }: Of) =>
  find(medians, { workload, connections, variant })

const sumOf = (workload: (typeof measured)[number], of: Of) =>
  sum(pieces.map(piece => cpuOf(workload, piece, of)?.cpu_total_us ?? Number.NaN))

function sumTable(of: Of): string {
  const rows = measured.map(workload => {
    const product = cpuOf(workload, productName, of)?.cpu_total_us
    const total = sumOf(workload, of)
    return [
      labels[workload],
      ...pieces.map(piece => whole(cpuOf(workload, piece, of)?.cpu_total_us)),
      ...[whole(total), whole(product), decimals(ratio(product, total))],
    ]
  })
  return `## CPU per request in µs\n\n${table(['', ...pieces, 'sum', 'product', '×'], rows)}`
}

function targetsOf(workload: (typeof measured)[number], of: Of): Target[] {
  const product = cpuOf(workload, productName, of)
  const http = cpuOf(workload, bareHttp, of)?.cpu_total_us
  const one = (name: string, most: number, figure: number | undefined) =>
    judge({ name: `${labels[workload]}: CPU, ${name}`, bound: { at_most: most }, unit: '×', figure })
  return [
    one('product ÷ sum of the pieces', 1.5, ratio(product?.cpu_total_us, sumOf(workload, of))),
    ...(workload === 'installs'
      ? [
          one('gateway ÷ bare fastify', 2, ratio(product?.cpu_us?.gateway, http)),
          one('all processes ÷ bare fastify', 2, ratio(product?.cpu_total_us, http)),
        ]
      : []),
  ]
}
