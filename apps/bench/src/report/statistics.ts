/** The arithmetic of the tables. */

/** The middle one, or the mean of the two in the middle; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const of = (index: number) => sorted[index] ?? Number.NaN
  return (of(Math.floor((sorted.length - 1) / 2)) + of(Math.ceil((sorted.length - 1) / 2))) / 2
}

/** The least value that `part` percent of all do not exceed; NaN for none. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.ceil((part / 100) * sorted.length) - 1] ?? Number.NaN
}

/** The median of each entry that occurs in every one. */
export function mediansByName(records: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const [first = {}] = records
  return Object.fromEntries(
    Object.keys(first)
      .filter(name => records.every(record => record[name] !== undefined))
      .map(name => [name, median(records.map(record => record[name] as number))]),
  )
}

/** `part` divided by `whole`; undefined if one of them is missing or `whole` is zero. */
export function ratio(part: number | undefined, whole: number | undefined): number | undefined {
  if (part === undefined || whole === undefined || !(whole > 0) || !Number.isFinite(part)) return undefined
  return part / whole
}

export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The same items, starting `by` positions later. */
export const rotate = <T>(items: readonly T[], by: number): T[] => {
  const start = by % (items.length || 1)
  return [...items.slice(start), ...items.slice(0, start)]
}
