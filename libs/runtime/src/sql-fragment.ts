/** Parts of statements, joined before the driver sees them, so that each text is one prepared statement. */

export interface Fragment {
  readonly strings: TemplateStringsArray
  readonly values: readonly unknown[]
}

class Composed implements Fragment {
  readonly strings: TemplateStringsArray
  readonly values: readonly unknown[]
  constructor({ strings, values }: Fragment) {
    this.strings = strings
    this.values = values
  }
}

/**
 * A tagged template for a part of a statement or of another fragment. Its values become parameters; any other
 * choice has to be among fragments, so that the number of texts is bounded.
 */
export const fragment = (strings: TemplateStringsArray, ...values: unknown[]): Fragment =>
  new Composed(compose(strings, values))

/**
 * A template with its fragments inlined as text. The same template with the same fragments returns the same strings
 * each time, by which the driver and the tracing recognize it.
 */
export function compose(strings: TemplateStringsArray, values: readonly unknown[]): Fragment {
  if (!values.some(isFragment)) return { strings, values }
  let node = nodeIn(templates, strings)
  const flat: unknown[] = []
  for (const value of values) {
    if (isFragment(value)) {
      node = nodeIn(node.next, value.strings)
      for (const inner of value.values) flat.push(inner)
    } else {
      node = nodeIn(node.next, undefined)
      flat.push(value)
    }
  }
  node.strings ??= splice(strings, values)
  return { strings: node.strings, values: flat }
}

const isFragment = (value: unknown): value is Composed => value instanceof Composed

/** A trie over the values of a template: each is a fragment of this text, or a parameter. */
interface Node {
  readonly next: Map<TemplateStringsArray | undefined, Node>
  strings?: TemplateStringsArray
}

const templates = new WeakMap<TemplateStringsArray, Node>()

function nodeIn<Key>(
  nodes: { get(key: Key): Node | undefined; set(key: Key, node: Node): void },
  key: Key,
): Node {
  const known = nodes.get(key)
  if (known) return known
  const made = { next: new Map() }
  nodes.set(key, made)
  return made
}

function splice(strings: TemplateStringsArray, values: readonly unknown[]): TemplateStringsArray {
  const texts = [strings[0] ?? '']
  const append = (text = '') => texts.push(`${texts.pop()}${text}`)
  for (const [at, value] of values.entries()) {
    if (isFragment(value)) {
      const [first, ...rest] = value.strings
      append(first)
      texts.push(...rest)
      append(strings[at + 1])
    } else texts.push(strings[at + 1] ?? '')
  }
  return Object.freeze(Object.assign(texts, { raw: Object.freeze([...texts]) }))
}
