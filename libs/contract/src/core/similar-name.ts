/** Longer names are not compared: the cost grows with the square of the length. */
const maxLength = 40

/**
 * The known name that a misspelled one probably means: up to a third of its letters omitted, added, changed or
 * swapped, or in another case (`productId` for `product_id`).
 */
export function similarName(given: string, known: readonly string[]): string | undefined {
  if (given.length > maxLength) return undefined
  const letters = lettersOf(given)
  const near = known
    .map(name => ({ name, edits: editsBetween(letters, lettersOf(name)) }))
    .filter(({ name, edits }) => edits <= Math.min(3, Math.max(letters.length, lettersOf(name).length) / 3))
  return near.sort((a, b) => a.edits - b.edits)[0]?.name
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[_-]/g, '')

/** The optimal string alignment distance: Levenshtein's, with swapped neighbours as one edit. */
function editsBetween(a: string, b: string): number {
  let older: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const edits = [at(next, j - 1) + 1, at(row, j) + 1, at(row, j - 1) + (same ? 0 : 1)]
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits.push(at(older, j - 2) + 1)
      next.push(Math.min(...edits))
    }
    older = row
    row = next
  }
  return at(row, b.length)
}

const at = (row: number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
