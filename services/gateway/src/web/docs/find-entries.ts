/** The search of the documentation. */
export interface SearchEntry {
  /** What it is a part of: a guide, or the method and path of an operation. */
  readonly page: string
  readonly title: string
  readonly path: string
  /** In lower case, each word once. */
  readonly text: string
}

/** What is read of a query. */
const longestQuery = 100
export const mostResults = 20

/** Entries with all of the words, best first: those whose title is made of them, or what they are a part of. */
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
    .slice(0, mostResults)
    .map(({ entry }) => entry)
}

function scoreOf({ page, title, text }: SearchEntry, words: readonly string[]): number {
  const head = title.toLowerCase()
  const whole = `${page.toLowerCase()} ${head} ${text}`
  if (!words.every(word => whole.includes(word))) return 0
  const names = `${head} ${page.toLowerCase()}`.split(/[^a-z0-9]+/)
  const points = (word: string) =>
    2 * Number(names.some(name => name.startsWith(word))) + Number(head.includes(word))
  // A short title is about its words; a long one has them among others.
  return 1 + words.reduce((sum, word) => sum + points(word), 0) / Math.sqrt(names.length)
}
