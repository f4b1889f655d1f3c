/** The product alone for minutes: does a request cost the same in the last minute as in the first? */
import { setTimeout as delay } from 'node:timers/promises'
import { productContestant } from '../contestants/product-contestant.ts'
import type { Use } from '../load/meter.ts'
import { type Rates, startRun } from '../load/window.ts'
import { studyReport, windowLine } from '../report/report.ts'
import { ratio } from '../report/statistics.ts'
import { decimals, table, whole } from '../report/table.ts'
import { judge } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'

const warmUpSeconds = 20

export async function drift(surroundings: Surroundings): Promise<void> {
  const { options, say } = surroundings
  const { minutes } = options
  const connections = options.connections?.[0] ?? 32
  // With PostgreSQL's settings as in `npm start`: its background work belongs to minutes of load.
  const scene = await setScene(surroundings, connections, {})
  const { product, sql } = await productContestant('drift', scene)
  const { machine, seed, instruments } = scene

  say(`  … ${warmUpSeconds} s of warm-up, then ${minutes} minutes`)
  const run = await startRun({ ...product, seed, sql }, instruments, { workload: 'product', connections })
  await run.during(delay(warmUpSeconds * 1000))
  const lap = await run.startLaps()
  const laps: (Rates & Use)[] = []
  for (let minute = 1; minute <= minutes; minute++) {
    const measured = await lap(60_000)
    laps.push(measured)
    say(windowLine({ variant: `minute ${minute} of ${minutes}`, ...measured }))
  }
  const written = await run.end()

  const targets = [driftTarget(laps)]
  const acknowledged = `Offers acknowledged and written, warm-up included: ${whole(written.offers_written)}.`
  const title = `Drift: POST /offers, ${connections} connections, ${minutes} minutes`
  await publish(surroundings, {
    report: studyReport({ title, machine, sections: [minuteTable(laps), acknowledged], targets }),
    json: { machine, connections, targets, written, minutes: laps },
  })
}

/** CPU per request in the last minute divided by that in the first. */
export const driftTarget = (minutes: readonly Pick<Use, 'cpu_total_us'>[]) =>
  judge({
    name: 'CPU per request, last minute in units of the first',
    bound: { at_most: 1.03 },
    unit: '×',
    figure: minutes.length > 1 ? ratio(minutes.at(-1)?.cpu_total_us, minutes.at(0)?.cpu_total_us) : undefined,
  })

function minuteTable(minutes: readonly (Rates & Use)[]): string {
  const processes = Object.keys(minutes[0]?.cpu_us ?? {})
  const residents = Object.keys(minutes[0]?.resident_mb ?? {})
  return table(
    [
      ...['minute', 'req/s', 'p99 ms', 'CPU µs'],
      ...processes.map(process => `${process} µs`),
      ...residents.map(process => `${process} MB`),
    ],
    minutes.map(({ per_second, p99_ms, cpu_total_us, cpu_us, resident_mb }, index) => [
      String(index + 1),
      whole(per_second),
      decimals(p99_ms),
      whole(cpu_total_us),
      ...processes.map(process => whole(cpu_us?.[process])),
      ...residents.map(process => whole(resident_mb?.[process])),
    ]),
  )
}
