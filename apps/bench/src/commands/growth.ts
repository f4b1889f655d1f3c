/** The product on tables that have grown for years, in turns with the product on empty ones. */
import { fillTables } from '@svc/testing/statements/fill-tables'
import type { Contestant } from '../contestants/contestant.ts'
import { productContestant } from '../contestants/product-contestant.ts'
import { cellSections, studyReport } from '../report/report.ts'
import { ratio } from '../report/statistics.ts'
import { find, type Summary, summarise, type WindowRecord } from '../report/summary.ts'
import { whole } from '../report/table.ts'
import { judge, type Target } from '../report/targets.ts'
import { setScene } from '../scene.ts'
import { publish, type Surroundings } from './command.ts'
import { burnIn, measureAll } from './rounds.ts'

const tokens = 100_000
const [empty, filled] = ['empty', 'filled']
/** What was measured with that many offers in the tables. */
interface Stage {
  readonly offers: number
  readonly medians: readonly Summary[]
  readonly windows: readonly WindowRecord[]
}

export async function growth(surroundings: Surroundings): Promise<void> {
  const { options, say } = surroundings
  const { sizes, workloads, connections = [32] } = options
  const scene = await setScene(surroundings, Math.max(...connections))
  const small = await productContestant(empty, scene)
  const large = await productContestant(filled, scene)
  // What fills the tables is kept.
  const contestants: Contestant[] = [small, { ...large, reset: async () => {} }]
  await burnIn(contestants, surroundings)

  const cells = workloads.flatMap(workload => connections.map(number => ({ workload, connections: number })))
  const stages: Stage[] = []
  for (const offers of sizes) {
    say(`  … filling: ${whole(offers)} offers, ${whole(tokens)} tokens`)
    await fillTables(large.sql, { offers, tokens, ...scene.seed })
    const windows = await measureAll(contestants, cells, scene, surroundings)
    stages.push({ offers, windows, medians: summarise(windows) })
  }

  const [targets, { machine }] = [stages.flatMap(growthTargets), scene]
  const title = `Growth: the product, ${whole(tokens)} tokens, so many offers, beside empty tables`
  await publish(surroundings, {
    report: studyReport({ title, machine, sections: stages.flatMap(stageSections), targets }),
    json: { machine, targets, stages },
  })
}

const growthTargets = ({ offers, medians }: Stage): Target[] =>
  medians
    .filter(({ variant }) => variant === filled)
    .map(({ workload, connections, per_second }) =>
      judge({
        name: `${whole(offers)} offers, ${workload}, ${connections}: requests/s with empty tables in units of these`,
        bound: { at_most: 1.15 },
        unit: '×',
        figure: ratio(find(medians, { workload, connections, variant: empty })?.per_second, per_second),
      }),
    )

const stageSections = ({ offers, medians }: Stage) => [`# ${whole(offers)} offers`, ...cellSections(medians)]
