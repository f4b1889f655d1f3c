/** The product alone for minutes: does a request cost the same in the last minute as in the first? */
import { setTimeout as delay } from 'node:timers/promises'
import type { Surroundings } from './compare.ts'
import { openResults } from '../files.ts'
import { describeMachine, machineLine } from '../machine.ts'
import { startMeter } from '../load/meter.ts'
import type { Options } from '../options.ts'
import { startProduct } from '../contestants/product.ts'
import { table, targetTable, whole, windowLine, withoutUsage } from '../report/report.ts'
import { setScene } from '../scene.ts'
import { copySeed } from '../seed.ts'
import { ratio } from '../report/statistics.ts'
import { judge } from '../report/targets.ts'
import { usageIsKnown } from '../load/process-usage.ts'
import { type Measured, ratesOf, startRun, type Subject } from '../load/window.ts'
import postgres from 'postgres'

const warmUpSeconds = 20
const usualConnections = 32
const name = 'drift'

export async function drift(options: Options, { cleanup, say, print }: Surroundings): Promise<void> {
  const connections = options.connections?.[0] ?? usualConnections
  say('  … PostgreSQL, the seed and the product')
  // With PostgreSQL's settings as in `npm start`: its background work belongs to minutes of load.
  const { servers, seed, instruments } = await setScene(cleanup, connections)
  const { generator, postgresPid } = instruments
  const databaseUrl = await copySeed(servers, name)
  const product = await startProduct(servers, cleanup, { name, database: name })
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  cleanup.add(() => sql.end({ timeout: 1 }))
  const urls = product.stack.gateways.map(({ url }) => url)
  const subject: Subject = { urls, seed, sql, pids: product.pids, writes: true }
  const machine = await describeMachine(servers, product.stack.nats?.port)

  say(`  … ${warmUpSeconds} s of warm-up, then ${options.minutes} minutes`)
  const run = await startRun(subject, generator, { workload: 'product', connections })
  await run.during(delay(warmUpSeconds * 1000))
  await generator.mark()
  const meter = startMeter({
    processes: product.pids(),
    trees: { postgres: postgresPid },
    measuring: { 'load generator': generator.pid },
  })
  const minutes: Measured[] = []
  for (let minute = 1; minute <= options.minutes; minute++) {
    await run.during(delay(60_000))
    const mark = await generator.mark()
    minutes.push({ ...ratesOf(mark), ...meter.lap()(mark) })
    const measured = minutes.at(-1) as Measured
    say(windowLine({ variant: `minute ${minute} of ${options.minutes}`, ...measured }))
  }
  const written = await run.end()

  const target = driftTarget(minutes)
  const report = [
    `# Drift: POST /offers, ${connections} connections, ${options.minutes} minutes\n\n${machineLine(machine)}`,
    ...(usageIsKnown ? [] : [withoutUsage]),
    minuteTable(minutes),
    targetTable([target]),
    `Offers acknowledged and written, warm-up included: ${whole(written.offers_written)}.`,
  ].join('\n\n')
  print(report)
  const results = await openResults(options.out, name)
  const json = JSON.stringify({ machine, connections, target, written, minutes }, null, 1)
  print(`\n${await results.write('json', `${json}\n`)}\n${await results.write('md', `${report}\n`)}`)
}

/** CPU per request in the last minute divided by that in the first. */
export const driftTarget = (minutes: readonly Pick<Measured, 'cpu_total_us'>[]) =>
  judge({
    name: 'CPU per request, last minute in units of the first',
    bound: { at_most: 1.03 },
    unit: '×',
    figure: minutes.length > 1 ? ratio(minutes.at(-1)?.cpu_total_us, minutes.at(0)?.cpu_total_us) : undefined,
  })

function minuteTable(minutes: readonly Measured[]): string {
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
      p99_ms.toFixed(1),
      whole(cpu_total_us),
      ...processes.map(process => whole(cpu_us?.[process])),
      ...residents.map(process => whole(resident_mb?.[process])),
    ]),
  )
}
