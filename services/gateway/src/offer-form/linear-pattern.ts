/** A browser's regular expressions backtrack: those of a seller are run only where that stays harmless. */

/** On longer strings no pattern is run. */
export const longestMatched = 300

const longestPattern = 500
const manyTimes = 20

/**
 * Whether a pattern takes bounded time on strings of up to {@link longestMatched} characters: at most two quantifiers
 * without a small bound, and none on a group that holds a quantifier or alternatives.
 */
export function isHarmless(pattern: string): boolean {
  if (pattern.length > longestPattern || !compiles(pattern)) return false
  const groups = [{ choice: false }]
  let last = { choice: false }
  let unbounded = 0
  for (const [token] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/gu)) {
    const here = groups.at(-1) ?? last
    if (token === '(') groups.push({ choice: false })
    else if (token === ')') {
      last = groups.pop() ?? last
      // What is outside holds what is inside.
      const outer = groups.at(-1)
      if (outer && last.choice) outer.choice = true
      continue
    } else if (token === '|') here.choice = true
    else if (token === '*' || token === '+' || token === '?' || /^\{\d/.test(token)) {
      if (token !== '?' && last.choice) return false
      if (isUnbounded(token) && ++unbounded > 2) return false
      here.choice = true
      continue
    }
    last = { choice: false }
  }
  return true
}

function isUnbounded(quantifier: string): boolean {
  if (quantifier === '?') return false
  const [, least = '', most] = /^\{(\d+)(?:,(\d*))?\}$/.exec(quantifier) ?? []
  if (least === '') return true
  return most === '' || Number(most ?? least) > manyTimes
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
