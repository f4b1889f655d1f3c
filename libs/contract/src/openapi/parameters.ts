import type { z } from 'zod'
import { type Access, headerName } from '../core/operation.ts'
import type { JsonSchema, Schemas } from './schemas.ts'
import { requestOf } from './examples.ts'
import type { NamedOperation } from '../services.ts'
import { idempotencyHeaders } from '../core/idempotency.ts'
import { pageQuery } from '../core/text.ts'

type ParameterLocation = 'path' | 'query' | 'header'

const shared = new Set(Object.keys(pageQuery.shape))
const idempotencyKey = 'Idempotency-Key'

export function parametersOf(named: NamedOperation, schemas: Schemas) {
  const { http, params, query, headers, access } = named.operation
  const examples = requestOf(named)
  const own = (
    location: ParameterLocation,
    schema: z.ZodObject | undefined,
    sent: Record<string, unknown> = {},
  ) =>
    describe(location, schema, schemas, http?.path).map(one => {
      if (location === 'query' && shared.has(one.name)) return { $ref: `#/components/parameters/${one.name}` }
      const given = sent[location === 'header' ? one.name.toLowerCase() : one.name]
      // Parameters are sent as text.
      const example = given !== undefined && one.schema.type === 'integer' ? Number(given) : given
      if (example === undefined && one.name === idempotencyKey)
        return { $ref: `#/components/parameters/${one.name}` }
      return { ...one, ...(example !== undefined && { example }) }
    })
  return [
    ...own('path', params, examples.params),
    ...own('query', query, examples.query),
    ...own('header', headers, examples.headers),
    ...contextOf(access),
  ]
}

export function sharedParameters(schemas: Schemas) {
  const own = [...describe('query', pageQuery, schemas), ...describe('header', idempotencyHeaders, schemas)]
  return { ...Object.fromEntries(own.map(one => [one.name, one])), workspace, any_workspace: anyWorkspace }
}

function contextOf({ workspace, credentials, anonymous }: Access) {
  if (anonymous && credentials.length === 0) return []
  return [{ $ref: `#/components/parameters/${workspace ? 'workspace' : 'any_workspace'}` }]
}

const workspace = {
  name: 'Svc-Context',
  in: 'header',
  required: false,
  description:
    'The workspace to act in, `ws_…`. Needed with session tokens and JWTs; an API token acts in its own workspace.',
  schema: { type: 'string', minLength: 4, maxLength: 53, pattern: '^ws_[0-9A-Za-z_-]+$' },
}

const anyWorkspace = {
  ...workspace,
  description: 'Not needed here; a workspace that the credential has no access to is still refused.',
}

function describe(location: ParameterLocation, schema: z.ZodObject | undefined, schemas: Schemas, path = '') {
  if (!schema) return []
  const { properties = {}, required = [] } = schemas.of(schema, 'input')
  return Object.entries(properties).map(([key, property]) => {
    const { description, ...rest } = property as JsonSchema & { description?: string }
    return {
      name: location === 'header' ? headerName(key) : key,
      in: location,
      required: location === 'path' || (required.includes(key) && !('default' in rest)),
      description: description ?? meaningOf(key, location, path),
      schema: rest,
    }
  })
}

function meaningOf(key: string, location: ParameterLocation, path: string): string {
  if (key === 'id') return `The id of the ${nounBefore('/{id}', path)}.`
  if (key === 'short_hash') return 'The name of the offer in its link.'
  if (key === 'number') return 'The number of the policy.'
  if (key === 'user_id') return 'The id of the member’s user.'
  if (key === 'delivery_id') return 'The id of the event, as the list of deliveries has it.'
  if (key === 'invitation_id') return 'The id of the invitation.'
  if (key === 'state') return 'Only those in this state.'
  if (location === 'query' && key.endsWith('_id')) return `Only those of this \`${key}\`.`
  throw new Error(`The ${location} parameter ${key} has no description.`)
}

/** The noun of the segment before a parameter: `package version` in `/package_versions/{id}`. */
function nounBefore(parameter: string, path: string): string {
  const [before = ''] = path.split(parameter)
  return before.replace(/^.*\//, '').replace(/s$/, '').replaceAll('_', ' ').replace('api', 'API')
}
