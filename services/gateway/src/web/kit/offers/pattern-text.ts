/** Explains to a customer that a value does not match a seller's pattern, which most people cannot read. */
type Schema = Readonly<Record<string, unknown>>

export function patternText({ pattern, description }: Schema): string {
  if (typeof description === 'string' && description.trim() !== '') {
    return description.trim().replace(/\.$/, '').slice(0, 200)
  }
  const text = String(pattern)
  return allowedCharacters(text) ?? `must match the pattern ${text.slice(0, 60)}`
}

/** For a pattern such as ^[a-z0-9.-]+$, which only limits the characters. */
function allowedCharacters(pattern: string): string | undefined {
  const [, inside] = /^\^\[([A-Za-z0-9 ._\\-]+)\][+*]\$$/.exec(pattern) ?? []
  if (inside === undefined) return undefined
  const parts = inside.match(/a-z|A-Z|0-9|\\[.d_-]|[ ._]|-$|^-/g) ?? []
  if (parts.join('') !== inside) return undefined
  const found = new Set(parts.map(part => names[part.replace(/^\\(?!d)/, '')]))
  const both = found.has(lower) && found.has(upper)
  const words = order
    .filter(word => found.has(word) && !(both && word === upper))
    .map(word => (both && word === lower ? 'letters' : word))
  const last = words.pop()
  return `use ${words.length > 0 ? `${words.join(', ')} and ` : 'only '}${last}`
}

const lower = 'lowercase letters'
const upper = 'uppercase letters'
const names: Record<string, string> = {
  'a-z': lower,
  'A-Z': upper,
  '0-9': 'digits',
  '\\d': 'digits',
  '.': 'dots',
  '-': 'hyphens',
  _: 'underscores',
  ' ': 'spaces',
}
const order = [lower, upper, 'digits', 'dots', 'hyphens', 'underscores', 'spaces']
