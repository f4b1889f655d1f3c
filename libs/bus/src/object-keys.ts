/** Checks a body for duplicate keys, of which `JSON.parse` keeps the last and other parsers the first. */

/** Counts the keys of all objects in a value. Fewer than in its text means that there was a duplicate. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += countKeys(item)
  else for (const key in value) count += 1 + countKeys(value[key as keyof typeof value])
  return count
}

/** Strings, and what gives a text its structure. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs

interface Open {
  readonly keys?: Set<string>
  at: string | number
}

/**
 * The path of the first key that is repeated in its object. Keys are compared unescaped: `"a"` is `"\u0061"`.
 *
 * @param text valid JSON
 * @returns undefined if no key is repeated
 */
export function repeatedKey(text: string): string[] | undefined {
  const open: Open[] = []
  let latest = ''
  for (const [token] of text.matchAll(tokens)) {
    const inside = open.at(-1)
    if (token === '{') open.push({ keys: new Set(), at: '' })
    else if (token === '[') open.push({ at: 0 })
    else if (token === '}' || token === ']') open.pop()
    else if (token === ',') {
      if (typeof inside?.at === 'number') inside.at++
    } else if (token === ':' && inside?.keys) {
      inside.at = JSON.parse(latest) as string
      if (inside.keys.has(inside.at)) return open.map(({ at }) => String(at))
      inside.keys.add(inside.at)
    } else latest = token
  }
  return undefined
}
