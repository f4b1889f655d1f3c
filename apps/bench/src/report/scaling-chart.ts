/** Requests per second with one to four replicas, in units of one, as an SVG: a line for each service. */
import { type Machine, machineLine } from '../machine.ts'
import { escapeXml } from './svg.ts'

export interface Line {
  readonly name: string
  /** With one replica, two, and so on. */
  readonly gains: readonly number[]
}

const [width, height] = [640, 420]
const [left, top, right, bottom] = [56, 64, 140, 48]
const colours = ['#1769aa', '#d1495b', '#2e8b57', '#e0a030', '#486581']

export function scalingChart(lines: readonly Line[], machine: Machine): string {
  const most = Math.max(...lines.map(({ gains }) => gains.length))
  const x = (replicas: number) => left + ((replicas - 1) / (most - 1)) * (width - left - right)
  const y = (gain: number) => height - bottom - ((gain - 1) / (most - 1)) * (height - top - bottom)
  const path = (gains: readonly number[]) =>
    gains.map((gain, at) => `${x(at + 1).toFixed(1)},${y(gain).toFixed(1)}`).join(' ')
  const text = (at: readonly [number, number], content: string, attributes = '') =>
    `<text x="${at[0].toFixed(1)}" y="${at[1].toFixed(1)}" ${attributes}>${escapeXml(content)}</text>`
  const counts = Array.from({ length: most }, (_, at) => at + 1)
  // Names that would lie on each other move apart.
  const names = [...lines].sort((a, b) => (b.gains.at(-1) ?? 0) - (a.gains.at(-1) ?? 0))
  let free = 0
  const labels = names.map(({ name, gains }) => {
    free = Math.max(free + 15, y(gains.at(-1) ?? 1) + 4)
    const label = `${name} ${gains.at(-1)?.toFixed(2)} ×`
    return text([x(most) + 8, free], label, `fill="${colours[indexOf(name)]}"`)
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#1f2933">`,
    '<title>Requests per second by number of replicas, in units of one replica</title>',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text([left, 24], 'Requests per second by number of replicas, × one', 'font-size="15" font-weight="600"'),
    text([left, 42], machineLine(machine), 'fill="#6b7785" font-size="10"'),
    ...counts.map(count => text([x(count), height - bottom + 20], String(count), 'text-anchor="middle"')),
    ...counts.map(count => text([left - 12, y(count) + 4], String(count), 'text-anchor="end"')),
    ...counts.map(
      count => `<path d="M${left} ${y(count).toFixed(1)}H${width - right}" stroke="#e1e7ec" fill="none"/>`,
    ),
    `<polyline points="${path(counts)}" fill="none" stroke="#9fb3c8" stroke-dasharray="4 4"/>`,
    ...lines.map(
      ({ gains }, at) =>
        `<polyline points="${path(gains)}" fill="none" stroke="${colours[at]}" stroke-width="2"/>`,
    ),
    ...labels,
    '</svg>\n',
  ].join('\n')

  function indexOf(name: string) {
    return lines.findIndex(line => line.name === name)
  }
}
