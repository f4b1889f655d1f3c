/** How many machines a cluster had, by hour: from the least to the most. */
import type { Item } from '../ui/answers.ts'
import { niceCeiling } from '../ui/nice-ceiling.ts'

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
  if (counts.length === 0) return <p class="hint">Its agent has not reported any in the last week.</p>
  const ceiling = niceCeiling(Math.max(1, ...counts.map(({ most }) => most)))
  const from = now - hours * hour
  const each = (width - left) / hours
  const x = (at: number) => left + ((at - from) / hour) * each
  const y = (count: number) => top + (1 - count / ceiling) * (height - top - bottom)
  const least = Math.min(...counts.map(count => count.least))
  const most = Math.max(...counts.map(count => count.most))
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby="machines-chart">
      <title id="machines-chart">{`Machines by hour: between ${least} and ${most}`}</title>
      {[0, ceiling].map(count => (
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
        a week ago
      </text>
      <text x={width} y={height - 4} text-anchor="end">
        now
      </text>
    </svg>
  )
}
