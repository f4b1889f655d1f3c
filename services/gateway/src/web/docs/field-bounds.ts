import { operations } from '@svc/contract/services'
import { headerName } from '@svc/contract/core/operation'
import { type Property, schemaOf } from '@svc/contract/openapi/json-schema'

export function boundsTable(): string {
  const rows = operations.flatMap(({ operation }) => {
    const { http, body, query, headers } = operation
    if (!http) return []
    const found = new Map<string, string>()
    if (headers) collect(schemaOf(headers), '', (name, bound) => found.set(headerName(name), bound))
    if (query) collect(schemaOf(query), '', (name, bound) => paging.has(name) || found.set(name, bound))
    if (body) collect(schemaOf(body), '', (name, bound) => found.set(name, bound))
    return [...found].map(([field, bound], index) => {
      const shown = index === 0 ? `\`${http.method} ${http.path}\`` : ''
      return `| ${shown} | \`${field}\` | ${bound} |`
    })
  })
  return ['| Operation | Field | Bound |', '|-|-|-|', ...rows].join('\n')
}

const paging = new Set(['limit', 'cursor'])
const unbounded = Number.MAX_SAFE_INTEGER

function collect(schema: Property, path: string, found: (path: string, bound: string) => void) {
  const bound = boundOf(schema)
  if (bound && path) found(path, bound)
  for (const variant of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) collect(variant, path, found)
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inherited = property.anyOf && property.default !== undefined ? { default: property.default } : {}
    collect({ ...property, ...inherited }, path ? `${path}.${name}` : name, found)
  }
  if (schema.items) collect(schema.items, `${path}[]`, found)
}

export function boundOf({ minLength, maxLength, minimum, maximum, maxItems }: Property) {
  if (maxItems !== undefined) return `at most ${maxItems} items`
  if (maxLength !== undefined) return `${range(minLength, maxLength)} characters`
  if (maximum === undefined || maximum === unbounded) return undefined
  return range(minimum, maximum)
}

const range = (min: number | undefined, max: number) => (min ? `${min} to ${max}` : `at most ${max}`)
