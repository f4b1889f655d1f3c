/** Finds where a text stops being JSON. The messages of `JSON.parse` differ by engine, or lack the position. */

const space = /[ \t\n\r]*/y
const token =
  /(?<mark>[{}[\],:])|(?<text>"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(?<plain>-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])|(?:true|false|null)(?!\w))/y

type Next = 'value' | 'first item' | 'name' | 'first name' | 'colon' | 'more'

/** @returns the offset of the first invalid character; the length if the text ends too early */
function placeOfProblem(text: string): number {
  const open: string[] = []
  let next: Next = 'value'
  for (let at = after(space, text, 0); ; at = after(space, text, at)) {
    token.lastIndex = at
    const found = token.exec(text)
    if (!found) return at
    const { mark, text: string } = found.groups ?? {}
    const following = step(mark ?? (string === undefined ? 'plain' : 'text'), next, open)
    if (!following) return at
    next = following
    at = token.lastIndex
  }
}

/** @returns what may come after it, undefined if it is invalid here */
function step(found: string, next: Next, open: string[]): Next | undefined {
  const isValue = next === 'value' || next === 'first item'
  if (found === 'text' && (next === 'name' || next === 'first name')) return 'colon'
  if (found === 'text' || found === 'plain') return isValue ? 'more' : undefined
  if (found === ':') return next === 'colon' ? 'value' : undefined
  if (found === '{' || found === '[') {
    if (!isValue) return undefined
    open.push(found)
    return found === '{' ? 'first name' : 'first item'
  }
  const inside = open.at(-1)
  if (found === ',') {
    if (next !== 'more' || !inside) return undefined
    return inside === '{' ? 'name' : 'value'
  }
  const isObject = found === '}'
  const mayEnd = next === 'more' || next === (isObject ? 'first name' : 'first item')
  if (!mayEnd || inside !== (isObject ? '{' : '[')) return undefined
  open.pop()
  return 'more'
}

function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  pattern.exec(text)
  return pattern.lastIndex
}

export function jsonProblem(text: string): string {
  const at = placeOfProblem(text)
  const before = text.slice(0, at).split('\n')
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`
  const [character] = text.slice(at, at + 2)
  return character === undefined
    ? `This is not JSON: it ends too early, at ${place}.`
    : `This is not JSON: look at “${character}” in ${place}.`
}
