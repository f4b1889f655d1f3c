import type { Item } from '../ui/answers.ts'
import { niceCeiling } from '../../kit/ui/nice-ceiling.ts'
import { charted } from './charted.ts'

const width = 640
const height = 180
const left = 44
const bottom = 28
const top = 8

export function DaysChart({ days }: { readonly days: readonly Item<'count_events'>[] }) {
  const max = Math.max(1, ...days.flatMap(({ counts }) => charted.map(([type]) => counts[type] ?? 0)))
  const ceiling = niceCeiling(max)
  const x = (at: number) => left + (at * (width - left - 8)) / Math.max(1, days.length - 1)
  const y = (count: number) => top + (1 - count / ceiling) * (height - top - bottom)
  const totals = charted.map(([type, label]) => ({
    ...{ type, label },
    total: days.reduce((sum, { counts }) => sum + (counts[type] ?? 0), 0),
  }))
  const first = days[0]?.date ?? ''
  const last = days.at(-1)?.date ?? ''
  return (
    <>
      <ul class="legend">
        {totals.map(({ type, label, total }, at) => (
          <li key={type}>
            <svg viewBox="0 0 24 8" aria-hidden="true">
              <path class={`line series-${at + 1}`} d="M0 4H24" />
            </svg>
            {label} <strong>{total.toLocaleString('en')}</strong>
          </li>
        ))}
      </ul>
      <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-labelledby="chart-title">
        <title id="chart-title">{`New offers, orders and installs of each day from ${first} to ${last}`}</title>
        {[0, ceiling / 2, ceiling].map(count => (
          <g key={count}>
            <path class="axis" d={`M${left} ${y(count)}H${width - 8}`} />
            {Number.isInteger(count) && (
              <text x={left - 6} y={y(count) + 4} text-anchor="end">
                {count.toLocaleString('en')}
              </text>
            )}
          </g>
        ))}
        {charted.map(([type], at) => (
          <path
            key={type}
            class={`line series-${at + 1}`}
            d={`M${days.map(({ counts }, day) => `${round(x(day))} ${round(y(counts[type] ?? 0))}`).join('L')}`}
          />
        ))}
        <text x={left} y={height - 4}>
          {dayText(first)}
        </text>
        <text x={width - 8} y={height - 4} text-anchor="end">
          {dayText(last)}
        </text>
      </svg>
      <details class="numbers">
        <summary>View as table</summary>
        <div class="table-frame">
          <table>
            <thead>
              <tr>
                <th scope="col">Day (UTC)</th>
                {charted.map(([type, label]) => (
                  <th key={type} scope="col" class="number">
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.toReversed().map(({ date, counts }) => (
                <tr key={date}>
                  <th scope="row">{date}</th>
                  {charted.map(([type]) => (
                    <td key={type} class="number">
                      {counts[type] ?? 0}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (date: string): string => (date ? day.format(new Date(date)) : '')

const round = (value: number): string => value.toFixed(1)
