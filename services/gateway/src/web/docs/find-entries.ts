export interface SearchEntry {
  readonly page: string
  readonly title: string
  readonly path: string
  readonly text: string
}

const longestQuery = 100
export const maxResults = 20

/** Entries with all of the words, best first: those whose title or page has them. */
export function findEntries(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = query
    .slice(0, longestQuery)
    .normalize('NFKC')
    .toLowerCase()
    .split(/[\s/-]+/)
    .filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map(entry => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxResults)
    .map(({ entry }) => entry)
}

function scoreOf({ page, title, text }: SearchEntry, words: readonly string[]): number {
  const head = title.toLowerCase()
  const whole = `${page.toLowerCase()} ${head} ${text}`
  if (!words.every(word => whole.includes(word))) return 0
  const names = `${head} ${page.toLowerCase()}`.split(/[^a-z0-9]+/)
  const points = (word: string) =>
    2 * Number(names.some(name => name.startsWith(word))) + Number(head.includes(word))
  // A short title is about its words; a long one merely contains them.
  return 1 + words.reduce((sum, word) => sum + points(word), 0) / Math.sqrt(names.length)
}
