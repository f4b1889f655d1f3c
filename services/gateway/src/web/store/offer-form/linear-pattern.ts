/** A browser's regular expressions backtrack: a seller's run only if that is harmless. */

export const longestMatched = 300

const longestPattern = 500
/** The maximum number of ways through the pattern, some nanoseconds each. */
const maxWays = 5_000_000

/**
 * Whether a pattern takes little time on strings of up to {@link longestMatched} characters: the product of the ways in
 * which its parts can match is small, and no part that can match in several ways is itself repeated.
 */
export function isHarmless(pattern: string): boolean {
  if (pattern.length > longestPattern || !compiles(pattern)) return false
  let ways = pattern.startsWith('^') ? 1 : longestMatched
  const groups = [newGroup()]
  let last = newGroup()
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/gu)) {
    const here = groups.at(-1) ?? last
    const times = token === '?' ? 2 : waysOf(token)
    if (token === '(') groups.push(newGroup())
    else if (token === ')') {
      last = groups.pop() ?? last
      const outer = groups.at(-1)
      if (outer && last.varies) outer.varies = true
      continue
    } else if (token === '|') {
      ways *= (here.alternatives + 1) / here.alternatives
      here.alternatives++
      here.varies = true
    } else if (times !== undefined) {
      if (token !== '?' && last.varies) return false
      ways *= times
      here.varies = true
    }
    if (ways > maxWays) return false
    if (times === undefined) last = newGroup()
  }
  return true
}

const newGroup = () => ({ varies: false, alternatives: 1 })

/** In how many ways a quantifier can match; undefined if it is not a quantifier. */
function waysOf(token: string): number | undefined {
  if (token === '*' || token === '+') return longestMatched
  const [, least, comma, most] = /^\{(\d+)(,)?(\d*)\}$/.exec(token) ?? []
  if (least === undefined) return undefined
  if (!comma) return 1
  return Math.min(most ? Number(most) - Number(least) + 1 : longestMatched, longestMatched)
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
