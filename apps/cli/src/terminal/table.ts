/** Lists and single things as text: a table if it fits, otherwise a block per thing; tabs for programs. */
import { fit, widthOf, wrap } from './fit.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

export interface Column<T> {
  readonly name: string
  readonly value: (item: T) => string | number | boolean | null | undefined
  readonly flexible?: true
  readonly tone?: (value: string) => 'green' | 'yellow' | 'red' | 'dim' | undefined
}

const gap = '  '
const narrowest = 12

/**
 * One line per item below a line of names. Without a terminal: separated by tabs, nothing truncated.
 *
 * @param things their name in the plural, for an empty list
 */
export function listText<T>(
  terminal: Terminal,
  columns: readonly Column<T>[],
  items: readonly T[],
  things: string,
): string {
  const rows = items.map(item => columns.map(column => cell(column, item)))
  const names = columns.map(({ name }) => name)
  if (terminal.columns === undefined) return lines([names, ...rows].map(row => row.join('\t')))
  if (items.length === 0) return lines([terminal.style('dim', `No ${things} found.`)])
  const widths = fittingWidths(columns, [names, ...rows], terminal.columns)
  if (!widths) return rows.map(row => block(terminal, columns, row)).join('\n')
  const line = (row: string[], paint: (text: string, at: number) => string) =>
    row
      .map((text, at) => paint(fit(text, widths[at] ?? 0), at) + padding(text, widths[at] ?? 0, at, row))
      .join('')
  return lines([
    line(names, text => terminal.style('bold', text)),
    ...rows.map(row => line(row, (text, at) => painted(terminal, columns[at], row[at] ?? '', text))),
  ])
}

export function detailsText<T>(terminal: Terminal, columns: readonly Column<T>[], item: T): string {
  if (terminal.columns !== undefined) {
    return block(
      terminal,
      columns,
      columns.map(column => cell(column, item, linesShown)),
    )
  }
  const row = columns.map(column => cell(column, item))
  return lines(row.map((text, at) => `${columns[at]?.name}\t${text}`))
}

const linesShown = (text: string) => text.trimEnd().split('\n').map(printable).join('\n')

function cell<T>({ value }: Column<T>, item: T, shown = printable): string {
  const given = value(item)
  return given === null || given === undefined || given === '' ? '-' : shown(String(given))
}

/** The natural widths, or with the flexible columns narrowed; undefined if they cannot fit. */
function fittingWidths<T>(columns: readonly Column<T>[], rows: string[][], available: number) {
  // Not `Math.max(...)`: there may be more rows than a call can have arguments.
  const widths = columns.map((_, at) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[at] ?? '')), 0),
  )
  const between = gap.length * (columns.length - 1)
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width, between) - available
    if (excess <= 0) return widths
    const widest = widths.reduce(
      (best, width, at) =>
        columns[at]?.flexible && width > narrowest && width > (widths[best] ?? 0) ? at : best,
      -1,
    )
    if (widest < 0) return undefined
    widths[widest] = Math.max(narrowest, (widths[widest] ?? 0) - excess)
  }
}

function padding(text: string, width: number, at: number, row: string[]): string {
  if (at === row.length - 1) return ''
  return ' '.repeat(Math.max(0, width - widthOf(fit(text, width)))) + gap
}

function painted<T>(terminal: Terminal, column: Column<T> | undefined, value: string, text: string): string {
  const tone = column?.tone?.(value)
  return tone ? terminal.style(tone, text) : text
}

/** Names on the left; a value of several lines, or that does not fit next to its name, is below it, whole. */
function block<T>(terminal: Terminal, columns: readonly Column<T>[], row: string[]): string {
  const available = terminal.columns ?? 80
  const label = Math.max(...columns.map(({ name }) => widthOf(name)))
  return lines(
    columns.flatMap((column, at) => {
      const text = row[at] ?? ''
      const name = terminal.style('dim', column.name)
      const pad = ' '.repeat(label - widthOf(column.name))
      if (!text.includes('\n') && label + gap.length + widthOf(text) <= available) {
        return [`${name}${pad}${gap}${painted(terminal, column, text, text)}`]
      }
      const parts = text.split('\n').flatMap(one => wrap(one, Math.max(10, available - gap.length)))
      return [name, ...parts.map(part => (part === '' ? '' : gap + part))]
    }),
  )
}

const lines = (all: string[]) => all.map(line => `${line}\n`).join('')
