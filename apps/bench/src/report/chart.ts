/** The comparison as one SVG: the main workload large, with its CPU, and every other load as a small panel. */
import { productName } from '../contestants/contestant.ts'
import { type Machine, machineLine } from '../machine.ts'
import { decimals, whole } from './report.ts'
import { sum } from './statistics.ts'
import type { Summary } from './summary.ts'
import { type Workload, workloadLabels, workloadNames } from '../load/workloads.ts'

const width = 1000
const margin = 24
const labelWidth = 160
const rowHeight = 24
const panelRow = 18
const colours = {
  text: '#1f2933',
  faint: '#6b7785',
  line: '#dfe3e8',
  product: '#1769aa',
  other: '#9fb3c8',
  node: '#486581',
  nats: '#e0a030',
  postgres: '#9fb3c8',
}
const judged = { workload: 'product', connections: 32 } as const

interface Bar {
  readonly name: string
  readonly value: number
  readonly text: string
  readonly parts?: readonly { readonly value: number; readonly colour: string }[]
}

/** @param floors names of those that do less than the work: described in words, since their bars would dwarf the others */
export function comparisonChart(
  summaries: readonly Summary[],
  machine: Machine,
  floors: readonly string[],
): string {
  const isFloor = ({ variant }: Summary) => floors.includes(variant)
  const working = summaries.filter(summary => !isFloor(summary))
  const main = working.filter(isJudged)
  const others = cellsOf(working.filter(summary => !isJudged(summary)))
  const parts: string[] = []
  let y = margin + 18
  parts.push(text(margin, y, 'Requests per second and CPU per request, medians', { size: 18, bold: true }))
  y += 20
  parts.push(text(margin, y, machineLine(machine), { size: 12, colour: colours.faint }))
  y += 22

  if (main.length > 0) {
    const half = (width - 2 * margin - labelWidth) / 2
    const left = margin + labelWidth
    y += 14
    parts.push(text(margin, y, `${workloadLabels.product}, 32 connections`, { size: 14, bold: true }))
    y += 22
    parts.push(text(left, y, 'requests/s', { size: 12, colour: colours.faint }))
    if (main.some(({ cpu_us }) => cpu_us)) parts.push(legend(left + half, y))
    y += 8
    parts.push(bars(main.map(rateBar), { x: left, y, room: half - 90, row: rowHeight, names: margin }))
    const costs = main.flatMap(cpuBar)
    if (costs.length > 0) {
      parts.push(bars(costs, { x: left + half, y, room: half - 70, row: rowHeight }))
    }
    y += main.length * rowHeight + 18
    const below = summaries.filter(summary => isJudged(summary) && isFloor(summary))
    if (below.length > 0) {
      const floors = below.map(
        ({ variant, per_second, cpu_total_us }) =>
          `${variant} ${whole(per_second)}/s${cpu_total_us === undefined ? '' : `, ${whole(cpu_total_us)} µs`}`,
      )
      parts.push(text(margin, y, `Floors: ${floors.join(' · ')}`, { size: 12, colour: colours.faint }))
      y += 14
    }
    y += 18
  }

  if (others.length > 0) {
    const caption = 'The other loads: requests/s · p50 / p99'
    parts.push(text(margin, y, caption, { size: 12, colour: colours.faint }))
    y += 16
  }
  const columns = 2
  const panelWidth = (width - 2 * margin - 32) / columns
  for (let first = 0; first < others.length; first += columns) {
    const inRow = others.slice(first, first + columns)
    for (const [column, cells] of inRow.entries()) {
      const [{ workload, connections }] = cells as [Summary]
      const x = margin + column * (panelWidth + 32)
      const title = `${shortLabels[workload]}, ${connections} connection${connections === 1 ? '' : 's'}`
      parts.push(text(x, y + 12, title, { size: 13, bold: true }))
      const room = panelWidth - labelWidth - 146
      parts.push(
        bars(cells.map(rateAndLatencyBar), { x: x + labelWidth, y: y + 22, room, row: panelRow, names: x }),
      )
    }
    y += Math.max(...inRow.map(cells => cells.length)) * panelRow + 48
  }

  const height = Math.ceil(y + margin)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif">`,
    '<title>Requests per second and CPU per request, medians</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

const shortLabels: Record<Workload, string> = {
  product: 'POST /offers, product with key',
  version: 'POST /offers, version, no key',
  channel: 'POST /offers, channel with key',
  fields: 'POST /offers, two field values',
  tokens: 'GET /api_tokens',
  settings: 'PATCH compute_settings',
  installs: 'GET /installs',
  mix: '70 % POST /offers, 30 % GET',
}

const isJudged = ({ workload, connections }: Summary) =>
  workload === judged.workload && connections === judged.connections

/** Grouped by workload and connections, in the order of the workloads' list. */
function cellsOf(summaries: readonly Summary[]): Summary[][] {
  return workloadNames.flatMap(workload => {
    const cells = summaries.filter(summary => summary.workload === workload)
    return [...new Set(cells.map(({ connections }) => connections))].map(number =>
      cells.filter(({ connections }) => connections === number),
    )
  })
}

const rateBar = ({ variant, per_second }: Summary): Bar => ({
  name: variant,
  value: per_second,
  text: whole(per_second),
})

const rateAndLatencyBar = ({ variant, per_second, p50_ms, p99_ms }: Summary): Bar => ({
  name: variant,
  value: per_second,
  text: `${whole(per_second)} · ${decimals(p50_ms)} / ${decimals(p99_ms)} ms`,
})

function cpuBar({ variant, cpu_us, cpu_total_us = 0 }: Summary): Bar[] {
  if (!cpu_us) return []
  const { nats = 0, postgres = 0, ...node } = cpu_us
  return [
    {
      name: variant,
      value: cpu_total_us,
      text: whole(cpu_total_us),
      parts: [
        { value: sum(Object.values(node)), colour: colours.node },
        { value: nats, colour: colours.nats },
        { value: postgres, colour: colours.postgres },
      ],
    },
  ]
}

interface Area {
  readonly x: number
  readonly y: number
  /** Length of the longest bar, which is followed by its text. */
  readonly room: number
  readonly row: number
  /** Where the names begin, if they are shown. */
  readonly names?: number
}

function bars(all: readonly Bar[], { x, y, room, row, names }: Area): string {
  const most = Math.max(...all.map(({ value }) => value), 1e-9)
  return all
    .flatMap(({ name, value, text: label, parts }, index) => {
      const top = y + index * row
      const middle = top + row / 2 + 4
      const isProduct = name === productName
      const size = row > 20 ? 12 : 11
      const long = (amount: number) => (amount / most) * room
      const single = [{ value, colour: isProduct ? colours.product : colours.other }]
      let at = x
      const drawn = (parts ?? single).map(part => {
        const begin = at
        at += long(part.value)
        return `<rect x="${round(begin)}" y="${round(top + 3)}" width="${round(long(part.value))}" height="${row - 6}" fill="${part.colour}"/>`
      })
      return [
        ...(names === undefined ? [] : [text(names, middle, name, { size, bold: isProduct })]),
        ...drawn,
        text(Math.max(at, x) + 6, middle, label, { size, bold: isProduct }),
      ]
    })
    .join('\n')
}

function legend(x: number, y: number): string {
  const entries = [
    ['Node.js', colours.node],
    ['NATS', colours.nats],
    ['PostgreSQL', colours.postgres],
  ] as const
  return [
    text(x, y, 'CPU µs per request:', { size: 12, colour: colours.faint }),
    ...entries.flatMap(([name, colour], index) => {
      const at = x + 128 + index * 78
      return [
        `<rect x="${at}" y="${y - 9}" width="10" height="10" fill="${colour}"/>`,
        text(at + 14, y, name, { size: 12, colour: colours.faint }),
      ]
    }),
  ].join('\n')
}

function text(
  x: number,
  y: number,
  content: string,
  { size, bold = false, colour = colours.text }: { size: number; bold?: boolean; colour?: string },
): string {
  const weight = bold ? ' font-weight="600"' : ''
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" fill="${colour}"${weight}>${escaped(content)}</text>`
}

const round = (value: number) => Math.round(value * 10) / 10

const escaped = (content: string) =>
  content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
