import { dateText } from '../../kit/ui/moments.ts'
import type { Item } from '../ui/answers.ts'
import { niceCeiling } from '../../kit/ui/nice-ceiling.ts'

const width = 640
const height = 150
const left = 40
const bottom = 20
const top = 8
const hour = 3600
const hours = 168

interface MachinesChartProps {
  readonly counts: readonly Item<'list_machine_counts'>[]
  readonly now: number
}

export function MachinesChart({ counts, now }: MachinesChartProps) {
  if (counts.length === 0) return <p class="hint">No data from the agent in the last 7 days.</p>
  const ceiling = niceCeiling(Math.max(1, maxOf(counts)))
  const from = now - hours * hour
  const each = (width - left) / hours
  const x = (at: number) => left + ((at - from) / hour) * each
  const y = (count: number) => top + (1 - count / ceiling) * (height - top - bottom)
  const lines = [0, ceiling / 2, ceiling]
  return (
    <>
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby="machines-chart">
        <title id="machines-chart">{`Machines per hour: ${between(leastOf(counts), maxOf(counts))}`}</title>
        {lines.map(count => (
          <g key={count}>
            <path class="axis" d={`M${left} ${y(count)}H${width}`} />
            <text x={left - 6} y={y(count) + 4} text-anchor="end">
              {count.toLocaleString('en')}
            </text>
          </g>
        ))}
        {counts.map(({ at, least, most }) => (
          <rect
            key={at}
            class="bar-of-hour"
            x={Math.max(left, x(at)).toFixed(1)}
            y={y(most).toFixed(1)}
            width={Math.max(1.5, each - 0.5).toFixed(1)}
            height={Math.max(2, y(least) - y(most) + 2).toFixed(1)}
          />
        ))}
        <text x={left} y={height - 4}>
          7 days ago
        </text>
        <text x={width} y={height - 4} text-anchor="end">
          now
        </text>
      </svg>
      <Numbers counts={counts} />
    </>
  )
}

function Numbers({ counts }: Pick<MachinesChartProps, 'counts'>) {
  const days = [...new Set(counts.map(({ at }) => dateText(at)))]
  return (
    <details class="numbers">
      <summary>View as table</summary>
      <div class="table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col" class="number">
                Machines
              </th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(day => {
              const hours = counts.filter(({ at }) => dateText(at) === day)
              return (
                <tr key={day}>
                  <th scope="row">{day}</th>
                  <td class="number">{between(leastOf(hours), maxOf(hours))}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </details>
  )
}

type Counts = MachinesChartProps['counts']
const leastOf = (counts: Counts): number => Math.min(...counts.map(({ least }) => least))
const maxOf = (counts: Counts): number => Math.max(...counts.map(({ most }) => most))

const between = (least: number, most: number): string =>
  least === most ? most.toLocaleString('en') : `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`
