/**
 * The smallest magnitude that is accepted besides zero. PostgreSQL prints all zeros: seven bytes would become three
 * hundred.
 */
const tiniest = 1e-30

/** Up to 15 digits without an exponent never lose anything. */
const suspicious = /\d[eE][+-]?\d|[\d.]{16}/

const string = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`
const longNumbers = new RegExp(String.raw`${string}|-?\d(?:[\d.]{15}|[\d.]*[eE])[\d.eE+-]*`, 'gs')
const structure = new RegExp(String.raw`${string}|[{}[\],:]`, 'gs')

export interface LostNumber {
  readonly path: string[]
  /** Continues a sentence that begins with the field's name. */
  readonly problem: string
}

/**
 * The first number that would become infinite, is closer to zero than 1e-30, is an integer beyond 2^53 - 1, or
 * would become an integer (RFC 8259, section 6). Other fractions are rounded to the nearest double.
 *
 * @param text valid JSON
 */
export function lostNumber(text: string): LostNumber | undefined {
  if (!suspicious.test(text)) return undefined
  for (const { 0: token, index } of text.matchAll(longNumbers)) {
    const problem = token.startsWith('"') ? undefined : lossOf(token)
    if (problem) return { path: pathAt(text.slice(0, index)), problem }
  }
  return undefined
}

function lossOf(text: string): string | undefined {
  const value = Number(text)
  if (!Number.isFinite(value)) return 'is a number that is too large'
  const [coefficient = '', exponent = '0'] = text.toLowerCase().split('e')
  if (!/[1-9]/.test(coefficient)) return undefined
  if (Math.abs(value) < tiniest) return 'is a number that is too close to zero'
  if (!Number.isInteger(value)) return undefined
  if (!Number.isSafeInteger(value))
    return 'is an integer beyond 2^53 - 1, which would lose digits: send it as a string'
  if (decimalPlaces(coefficient, Number(exponent)) > 0)
    return 'is a number with more digits than are kept, and would become an integer: send it as a string'
  return undefined
}

function decimalPlaces(coefficient: string, exponent: number): number {
  const [whole = '', fraction = ''] = coefficient.split('.')
  const digits = whole + fraction
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return end - whole.length - exponent
}

function pathAt(beginning: string): string[] {
  const open: (string | number)[] = []
  let latest = ''
  for (const [token] of beginning.matchAll(structure)) {
    const inside = open.at(-1)
    if (token === '{') open.push('')
    else if (token === '[') open.push(0)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') open[open.length - 1] = JSON.parse(latest) as string
    else if (token !== ',') latest = token
    else if (typeof inside === 'number') open[open.length - 1] = inside + 1
  }
  return open.map(String)
}
