/** Tables as Markdown that is aligned to be readable as text, and their numbers. */
import { markdownTable } from 'markdown-table'

/** Columns of numbers are aligned right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isNumber = (column: number) => rows.every(row => /^[\d,.–]*$/.test(row[column] ?? ''))
  const align = head.map((_, column) => (isNumber(column) ? 'r' : null))
  return markdownTable([head, ...rows], { align, stringLength: text => [...text].length })
}

/** 1,234 */
export const whole = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? '–' : Math.round(value).toLocaleString('en-US')

/** Three significant digits. */
export const decimals = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) || value >= 100
    ? whole(value)
    : value.toFixed(value >= 10 ? 1 : 2)

export const percent = (share = 0): string => `${Math.round(share * 100)} %`

/** In the order of their first members. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}
