/** Parts of statements: put together before the driver sees them, so that each text is one prepared statement. */

/** Text with its parameters. */
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
 * A tagged template for a part of a statement, which takes its place in a statement or in another fragment. Its values are
 * parameters there; what else depends on the caller has to be chosen among fragments, so that there is only so much text.
 */
export const fragment = (strings: TemplateStringsArray, ...values: unknown[]): Fragment =>
  new Composed(compose(strings, values))

/**
 * A template in which the fragments among its values are text. The same template with the same fragments has the same strings
 * each time, which the driver and the tracing know again.
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

/** One for each way through the values of a template: a fragment of this text, or a parameter. */
interface Node {
  readonly next: Map<TemplateStringsArray | undefined, Node>
  /** Where the values end. */
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
