/** Checks answers against the OpenAPI document: status, headers, content type and body. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answered } from '../../answers.ts'
import type { JsonSchema } from './openapi-arbitrary.ts'

export interface DocumentedOperation {
  readonly operationId: string
  /** Alternatives; `{}` means without a credential. If empty, credentials are ignored. */
  readonly security: readonly object[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query' | 'header'
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
  readonly responses: Record<
    string,
    {
      readonly headers?: Record<string, object>
      readonly content?: Record<string, { readonly schema: object }>
    }
  >
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Record<string, Record<string, DocumentedOperation>>
  readonly components: { readonly schemas: Record<string, object> }
}

export interface Route {
  readonly name: string
  readonly method: string
  /** As in the document, with `{name}` for parameters. */
  readonly path: string
  readonly operation: DocumentedOperation
}

/** The operations, with resolved references: parameters, answers and schemas of requests. */
export function routesOf(document: OpenApiDocument): Route[] {
  const target = (reference: string) =>
    reference
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document)
  // One object per reference, so that a schema is compiled once.
  const known = new Map<string, unknown>()
  const followed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(followed)
    if (typeof part !== 'object' || part === null) return part
    if ('$ref' in part) {
      const reference = String(part.$ref)
      if (!known.has(reference)) known.set(reference, followed(target(reference)))
      return known.get(reference)
    }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, followed(value)]))
  }
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation: followed(operation) as DocumentedOperation,
    })),
  )
}

/** Answers that any request may get, and that the document names only where they are likely. */
const rare = new Set(['etag', 'idempotent-replayed'])

/** Creates a function that returns what the document does not allow in an answer, or nothing if it is valid. */
export function answerCheck() {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  return ({ operation }: Route, { status, headers, text }: Answered): string | undefined => {
    const described = operation.responses[status]
    if (!described) return `status ${status} is not documented: ${text}`
    for (const name of Object.keys(described.headers ?? {})) {
      if (!rare.has(name.toLowerCase()) && headers.get(name) === null)
        return `${status} lacks the header ${name}`
    }
    if (!described.content) return text === '' ? undefined : `${status} has a body: ${text}`
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    if (!described.content[type]) return `${status} has the content type ${type}`
    const valid = ajv.compile(described.content[type].schema)
    return valid(JSON.parse(text)) ? undefined : `${status} ${text}: ${ajv.errorsText(valid.errors)}`
  }
}
