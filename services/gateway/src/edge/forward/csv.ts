/** RFC 4180, for spreadsheets: in UTF-8 with a byte order mark. */
import { isTime, present, type Property } from '@svc/contract/openapi/json-schema'

const byteOrderMark = '\uFEFF'

interface Column {
  readonly name: string
  readonly textOf: (item: unknown) => string
}

/** Fields of objects are columns of their own, such as `terms.price.currency`. */
export function columnsOf({ properties = {} }: Property): Column[] {
  return Object.entries(properties).flatMap(([field, property]): Column[] => {
    const valueIn = (item: unknown) => (item as Record<string, unknown> | null)?.[field]
    const inner = columnsOf(present(property))
    if (inner.length > 0)
      return inner.map(({ name, textOf }) => ({
        name: `${field}.${name}`,
        textOf: item => textOf(valueIn(item)),
      }))
    const toText = isTime(field, property) ? timeText : String
    return [{ name: field, textOf: item => (valueIn(item) == null ? '' : toText(valueIn(item))) }]
  })
}

const timeText = (seconds: unknown): string => new Date(Number(seconds) * 1000).toISOString()

export const headOf = (columns: readonly Column[]): string =>
  byteOrderMark + lineOf(columns.map(({ name }) => name))

export const rowOf = (columns: readonly Column[], item: object): string =>
  lineOf(columns.map(({ textOf }) => textOf(item)))

export const lineOf = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(text: string): string {
  const safe = text.replace(formulas, "'")
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Where a spreadsheet would see a formula begin: also after a semicolon or a tab, at which many split instead of at
 * a comma, even between quotes.
 */
const formulas = /(?<=^|[;\t])(?=[=+\-@\t\r])/g
