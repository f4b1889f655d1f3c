import { readableName } from './readable-name.ts'

export interface OfferFormData {
  readonly schema: Readonly<Record<string, unknown>>
  readonly values: Readonly<Record<string, unknown>>
  readonly locked: Readonly<Record<string, unknown>>
  readonly kept: readonly string[]
  /** What the seller has filled in: it can be changed, but the service would take it where it is left empty. */
  readonly filled: readonly string[]
  readonly problems: readonly FieldProblem[]
  /** The person's latest order when the form was rendered; empty if there was none, or it is still being filled in. */
  readonly latest: string
  /** Whether the values are what the person has just sent. */
  readonly areSent: boolean
  /** Where the browser keeps what is typed; empty: nowhere. */
  readonly draftKey: string
}

export interface FieldProblem {
  readonly path: readonly string[]
  readonly message: string
}

export const ids = {
  form: 'order',
  data: 'offer-form-data',
  fields: 'fields',
  problems: 'problems',
  values: 'field_values',
  latest: 'latest_order',
} as const

export const fieldId = (path: readonly string[]): string => ['values', ...path].join('_')

export const problemText = (label: string, message: string): string =>
  label ? `${label}: ${message}` : message

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The titles on the way to a value, or readable keys if the seller's schema has none. */
export function labelOf(schema: Node, path: readonly string[]): string {
  const labels = path.map((name, depth) => {
    const title = /^\d+$/.test(name) ? undefined : nodeAt(schema, path.slice(0, depth + 1))?.title
    return typeof title === 'string' && title.trim() !== '' ? title.slice(0, 200) : shownName(name)
  })
  return labels.join(' \u203a ')
}

export function nodeAt(schema: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = schema
  for (const name of path) {
    const candidates: (Node | undefined)[] = [node, ...alternativesOf(node)]
    node = candidates.map(candidate => inner(candidate, name)).find(isNode)
  }
  return node
}

const shownName = (name: string) => (/^\d{1,6}$/.test(name) ? `${Number(name) + 1}` : readableName(name))

function inner(node: Node | undefined, name: string): unknown {
  if (node && isNode(node.properties) && Object.hasOwn(node.properties, name)) return node.properties[name]
  return /^\d+$/.test(name) ? node?.items : undefined
}

function alternativesOf(node: Node | undefined): Node[] {
  return [node?.oneOf, node?.anyOf, node?.allOf]
    .flatMap(list => (Array.isArray(list) ? list : []))
    .filter(isNode)
}
