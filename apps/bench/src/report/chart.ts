/** The comparison as one SVG: a panel for each cell, with requests per second and CPU per request of each variant. */
import { pgbenchName, productName } from '../contestants/contestant.ts'
import { workloadLabels } from '../load/workloads.ts'
import { type Machine, machineLine } from '../machine.ts'
import { byCell } from './report.ts'
import { sum } from './statistics.ts'
import type { Summary } from './summary.ts'
import { escapeXml } from './svg.ts'
import { decimals, whole } from './table.ts'

const width = 1000
const margin = 24
const row = 20
const rates = { x: 190, room: 280 }
const costs = { x: 680, room: 220 }
const faint = '#6b7785'
const colours = {
  product: '#1769aa',
  other: '#9fb3c8',
  node: '#486581',
  nats: '#e0a030',
  postgres: '#9fb3c8',
}

export function comparisonChart(medians: readonly Summary[], machine: Machine): string {
  const parts: string[] = []
  let y = margin + 14
  const line = (content: string, height: number, attributes: string) => {
    parts.push(text(margin, y, content, attributes))
    y += height
  }
  line('Requests per second and CPU per request, medians', 20, 'font-size="18" font-weight="600"')
  line(machineLine(machine), 18, `fill="${faint}"`)
  line('CPU: Node.js dark, NATS yellow, PostgreSQL light', 34, `fill="${faint}"`)
  for (const cell of byCell(medians)) {
    const [{ workload, connections }] = cell as [Summary]
    line(`${workloadLabels[workload]}; connections: ${connections}`, 8, 'font-size="13" font-weight="600"')
    // Floors do less than the work.
    const most = (figure: 'per_second' | 'cpu_total_us') =>
      Math.max(1e-9, ...cell.map(({ variant, [figure]: value = 0 }) => (variant === pgbenchName ? 0 : value)))
    for (const summary of cell) {
      parts.push(...bars(summary, y, most('per_second'), most('cpu_total_us')))
      y += row
    }
    y += 30
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${y}" viewBox="0 0 ${width} ${y}" font-family="system-ui, sans-serif" font-size="12" fill="#1f2933">`,
    '<title>Requests per second and CPU per request, medians</title>',
    `<rect width="${width}" height="${y}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

function bars(summary: Summary, y: number, mostRate: number, mostCost: number): string[] {
  const { variant, per_second, p50_ms, p99_ms, cpu_us, cpu_total_us } = summary
  const weight = variant === productName ? 'font-weight="600"' : ''
  const bar = (x: number, length: number, colour: string) =>
    `<rect x="${x.toFixed(1)}" y="${y + 3}" width="${length.toFixed(1)}" height="${row - 6}" fill="${colour}"/>`
  const long = (value: number, most: number, room: number) => Math.min(1, value / most) * room
  const rate = long(per_second, mostRate, rates.room)
  const { nats = 0, postgres = 0, ...node } = cpu_us ?? {}
  let x = costs.x
  const costBars = [
    [sum(Object.values(node)), colours.node] as const,
    [nats, colours.nats] as const,
    [postgres, colours.postgres] as const,
  ].map(([value, colour]) => {
    const from = x
    x += long(value, mostCost, costs.room)
    return bar(from, x - from, colour)
  })
  const at = y + row - 6
  const figures = `${whole(per_second)}/s · ${decimals(p50_ms)} / ${decimals(p99_ms)} ms`
  return [
    text(margin, at, variant === pgbenchName ? `floor: ${variant}` : variant, weight),
    bar(rates.x, rate, variant === productName ? colours.product : colours.other),
    text(rates.x + rate + 6, at, figures, weight),
    ...(cpu_us ? [...costBars, text(x + 6, at, `${whole(cpu_total_us)} µs`, weight)] : []),
  ]
}

const text = (x: number, y: number, content: string, attributes: string) =>
  `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escapeXml(content)}</text>`
