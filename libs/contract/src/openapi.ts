/** The OpenAPI 3.1 document, derived from the contract. */
import { z } from 'zod'
import { type Tag, tags } from './error-codes.ts'
import { errorBody } from './errors.ts'
import { type Access, type Operation, headerName } from './operation.ts'
import { operations } from './services.ts'

/** Tags that every operation can answer with. */
const anyOperation: Tag[] = [
  'Validation',
  'Unauthorized',
  'Forbidden',
  'RequestTimeout',
  'HeadersTooLarge',
  'Internal',
  'Unavailable',
  'Timeout',
]
/** Where a body is read, wanted or not: everywhere but in a GET. */
const bodyRead: Tag[] = ['PayloadTooLarge', 'UnsupportedMediaType']

export const apiVersion = '1.0.0'
/** The versioned root: every path of the contract is relative to it. */
export const root = '/v1'

/** Builds the document; `serverUrl` is the address of the versioned root. */
export function openApiDocument(serverUrl: string = root) {
  const paths: Record<string, Record<string, object>> = {}
  for (const { service, name, operation } of operations) {
    if (!operation.http) continue
    const { method, path } = operation.http
    paths[path] ??= {}
    paths[path][method.toLowerCase()] = describe(`${service}.${name}`, service, operation)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Offers, API tokens and cluster compute settings',
      version: apiVersion,
      description:
        'Sellers publish offers, teams manage workspace API tokens, operators change compute settings.',
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A session token, a workspace API token (sk_svc_…) or an OAuth 2.0 JWT.',
        },
      },
      schemas: Object.fromEntries(
        (Object.keys(tags) as Tag[]).map(tag => [
          tag,
          { description: tags[tag].means, ...schemaOf(errorBody(tag)) },
        ]),
      ),
    },
  }
}

function describe(operationId: string, service: string, operation: Operation) {
  const { params, query, headers, body, access, summary } = operation
  return {
    operationId,
    summary,
    tags: [service],
    ...(access.anonymous && { security: access.credentials.length > 0 ? [{}, { bearer: [] }] : [] }),
    parameters: [
      ...parameters('path', params),
      ...parameters('query', query),
      ...parameters('header', headers),
      ...contextOf(access),
    ],
    ...(operation.raw && { requestBody: { required: true, content: json({}) } }),
    ...(body && {
      requestBody: { required: !body.safeParse(undefined).success, content: json(schemaOf(body)) },
    }),
    responses: responses(operation),
  }
}

function contextOf({ workspace, credentials, anonymous }: Access) {
  if (workspace) return [svcContext]
  return anonymous && credentials.length === 0 ? [] : [optionalContext]
}

const svcContext = {
  name: 'Svc-Context',
  in: 'header',
  required: false,
  description: 'The workspace to act in. Needed for session tokens and JWTs alone.',
  schema: { type: 'string', minLength: 4, maxLength: 53, pattern: '^ws_[0-9A-Za-z_-]+$' },
}

const optionalContext = {
  ...svcContext,
  description: 'Not needed here; one that the credential may not act in is refused all the same.',
}

function parameters(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined) {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema)
  return Object.entries(properties).map(([name, property]) => ({
    name: place === 'header' ? headerName(name) : name,
    in: place,
    required: place === 'path' || (required.includes(name) && !('default' in (property as object))),
    schema: property,
  }))
}

/** What an answer of this status says beside its body. */
const extraHeaders: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit'],
  503: ['Retry-After'],
}

function responses(operation: Operation) {
  const { http, output, replyHeaders = [], errors } = operation
  const success = {
    description: 'Success',
    headers: headersOf(['Svc-Request-Id', ...replyHeaders]),
    ...(output && { content: json(schemaOf(output, 'output')) }),
  }
  const byStatus = new Map<number, Tag[]>()
  for (const tag of [...anyOperation, ...(http?.method === 'GET' ? [] : bodyRead), ...errors]) {
    const { status } = tags[tag]
    byStatus.set(status, [...(byStatus.get(status) ?? []), tag])
  }
  const failures = [...byStatus].map(([status, group]) => {
    const refs = group.map(tag => ({ $ref: `#/components/schemas/${tag}` }))
    const extra = extraHeaders[status] ?? []
    return [
      status,
      {
        description: group.map(tag => tags[tag].means).join('; or '),
        headers: headersOf(['Svc-Request-Id', ...extra]),
        content: json(refs.length === 1 ? (refs[0] as object) : { oneOf: refs }),
      },
    ]
  })
  return { [http?.status ?? 200]: success, ...Object.fromEntries(failures) }
}

const json = (schema: object) => ({ 'application/json': { schema } })

const headersOf = (names: string[]) =>
  Object.fromEntries(names.map(name => [name, { schema: { type: 'string' } }]))

interface JsonSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output' = 'input'): JsonSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}
