/** The arithmetic of the tables. */

/** The middle one, or the mean of the two in the middle; NaN for none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
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
  const start = items.length === 0 ? 0 : by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
