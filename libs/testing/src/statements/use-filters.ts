import { type Property, schemaOf } from '@svc/contract/openapi/json-schema'
import { operations } from '@svc/contract/services'
import { type Driven, requester } from '../stack/driven-stack.ts'

/** Asks for the first `pages` of every list of the API with each of its filters: each may be a text of its own. */
export async function useFilters(
  { dev, baseUrl }: Pick<Driven, 'dev' | 'baseUrl'>,
  pages = 1,
): Promise<void> {
  const request = requester(baseUrl)
  for (const { http, query } of operations.map(({ operation }) => operation)) {
    if (http?.method !== 'GET' || http.path.includes('{') || !query) continue
    const { properties = {}, required = [] } = schemaOf(query)
    if (required.length > 0) continue
    for (const filters of combinations(properties)) {
      const more: { cursor?: string } = {}
      for (let page = 1; page <= pages; page++) {
        const path = `${http.path}?${new URLSearchParams({ ...filters, ...more })}`
        const { status, answer } = await request('GET', path, dev.owner.session_token, {
          workspace: dev.workspace_id,
        })
        // Some filters exclude each other.
        if (status !== 200 && status !== 400)
          throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(answer)}`)
        if (typeof answer.next_cursor !== 'string') break
        more.cursor = answer.next_cursor
      }
    }
  }
}

type Filters = Record<string, string>
type Named = readonly [name: string, property: Property]

/** None, each and all of them, with each value of those that have a default, as `relation` and `order`. */
function combinations(properties: Readonly<Record<string, Property>>): Filters[] {
  const ofPages = ['limit', 'cursor']
  const all = Object.entries(properties).filter(([name]) => !ofPages.includes(name))
  const modes = all
    .filter(([, { default: fallback }]) => fallback !== undefined)
    .reduce<Filters[]>(
      (before, one) => before.flatMap(mode => each(one).map(own => ({ ...mode, ...own }))),
      [{}],
    )
  const filters = all.filter(([, { default: fallback }]) => fallback === undefined)
  const chosen = [{}, ...filters.flatMap(each), Object.assign({}, ...filters.map(one => each(one)[0]))]
  return modes.flatMap(mode => chosen.map(one => ({ ...mode, ...one })))
}

const each = ([name, property]: Named): Filters[] =>
  valuesOf([name, property]).map(value => ({ [name]: value }))

function valuesOf([name, { type, enum: choices, minimum = 1 }]: Named): readonly string[] {
  if (choices) return choices
  if (type === 'integer') return [String(Math.max(minimum, 1))]
  return [name === 'type' ? 'offers.created' : 'none']
}
