type Node = Readonly<Record<string, unknown>>

export const notShown = Symbol('not shown')

const maxSchemas = 50_000

/**
 * The parts of `values` that may be shown. If it is unclear whether the schema `root` declares a part secret,
 * it counts as secret.
 */
export function hideSecrets(root: Node, values: Node): Record<string, unknown> {
  const shown = hide(values, [root], { root, left: maxSchemas })
  return isNode(shown) ? shown : Object.fromEntries(Object.keys(values).map(name => [name, notShown]))
}

interface Search {
  readonly root: Node
  left: number
}

function hide(value: unknown, schemas: readonly unknown[], search: Search): unknown {
  const found = schemasAt(schemas, search)
  if (!found || found.some(({ format }) => format === 'password')) return notShown
  const inside = (part: unknown, schemasOf: (schema: Node) => unknown[]) => {
    search.left -= found.length
    return search.left < 0 ? notShown : hide(part, found.flatMap(schemasOf), search)
  }
  if (Array.isArray(value)) return value.map(item => inside(item, inItems))
  if (!isNode(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, inside(part, schema => inProperty(schema, name))]),
  )
}

/**
 * These schemas, and those that they apply to the same value; undefined if one is not found, or there are too many.
 */
function schemasAt(schemas: readonly unknown[], search: Search): Node[] | undefined {
  search.left -= schemas.length
  const found = new Set(schemas.filter(isNode))
  // Iterating a set includes additions, and adds nothing twice, so cycles of references end.
  for (const schema of found) {
    if (--search.left < 0) return undefined
    for (const reference of [schema.$ref, schema.$dynamicRef]) {
      if (reference === undefined) continue
      const target = targetOf(search.root, reference)
      if (target === undefined) return undefined
      if (isNode(target)) found.add(target)
    }
    const { allOf, anyOf, oneOf, dependentSchemas } = schema
    for (const one of [
      ...[allOf, anyOf, oneOf].flatMap(listOf),
      ...[schema.if, schema.then, schema.else],
      ...membersOf(dependentSchemas),
    ]) {
      if (isNode(one)) found.add(one)
    }
  }
  return [...found]
}

/** Patterns of names are the seller's, and not run here: each may match. */
function inProperty(
  { properties, patternProperties, additionalProperties, unevaluatedProperties }: Node,
  name: string,
): unknown[] {
  const named = isNode(properties) && Object.hasOwn(properties, name) ? [properties[name]] : undefined
  return [...(named ?? [additionalProperties, unevaluatedProperties]), ...membersOf(patternProperties)]
}

const inItems = ({ items, prefixItems, contains, unevaluatedItems }: Node): unknown[] => [
  ...[items, prefixItems].flatMap(one => (Array.isArray(one) ? one : [one])),
  ...[contains, unevaluatedItems],
]

/** By a JSON pointer (RFC 6901) in the same schema; anchors are not resolved. */
function targetOf(root: Node, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:$|\/)/.test(reference)) return undefined
  let found: unknown = root
  for (const token of unescaped(reference.slice(1)).split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Node)[name]
  }
  return found
}

function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return '/'
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const membersOf = (value: unknown): unknown[] => (isNode(value) ? Object.values(value) : [])
