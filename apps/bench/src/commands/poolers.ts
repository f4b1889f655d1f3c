/** The product at PostgreSQL itself and through PgBouncer in both of its modes, all running, in turns. */
import { hasPgBouncer, startPgBouncer } from '@svc/testing/pgbouncer'
import { productContestant } from '../contestants/product-contestant.ts'
import { UsageError } from '../options.ts'
import { studyReport } from '../report/report.ts'
import { summarise } from '../report/summary.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { burnIn, measureAll } from './rounds.ts'

export async function poolers(surroundings: Surroundings): Promise<void> {
  const { options, cleanup } = surroundings
  if (!hasPgBouncer()) throw new UsageError('There is no pgbouncer on PATH: apt-get install pgbouncer.')
  const { connections = [32] } = options
  const scene = await setScene(surroundings, Math.max(...connections))
  const contestants = [await productContestant('direct', scene)]
  const { secrets, postgres } = scene.servers
  const passwords = { ...secrets.postgres, postgres: decodeURIComponent(new URL(postgres.url).password) }
  for (const mode of ['session', 'transaction'] as const) {
    const bouncer = await cleanup.own(
      () => startPgBouncer(postgres.url, passwords, mode),
      started => started.stop(),
    )
    contestants.push(await productContestant(mode, scene, { adminUrl: bouncer.through(postgres.url) }))
  }
  await burnIn(contestants, surroundings)
  const cells = connections.map(number => ({ workload: 'product' as const, connections: number }))
  const windows = await measureAll(contestants, cells, scene, surroundings)
  const [medians, { machine }] = [summarise(windows), scene]
  await publish(surroundings, {
    report: studyReport({ title: 'Poolers', machine, medians }),
    json: { machine, medians, windows },
  })
}
