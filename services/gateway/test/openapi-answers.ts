/** Checks answers against the OpenAPI document: status, headers, content type and body. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answered } from './answers.ts'
import type { JsonSchema } from './openapi-arbitrary.ts'

export interface DocumentedOperation {
  readonly operationId: string
  /** Present where the document's own does not hold. */
  readonly security?: readonly object[]
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

export function routesOf({ paths }: OpenApiDocument): Route[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

const documentId = 'openapi.json'
/** Answers to anything, that the document names only where they are to be expected. */
const rare = new Set(['etag', 'idempotent-replayed'])

/** Makes a function that says what of an answer the document does not allow; nothing: it is valid. */
export function answerCheck(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, documentId)
  return ({ method, path, operation }: Route, { status, headers, text }: Answered): string | undefined => {
    const described = operation.responses[status]
    if (!described) return `status ${status} is not documented: ${text}`
    for (const name of Object.keys(described.headers ?? {})) {
      if (!rare.has(name.toLowerCase()) && headers.get(name) === null)
        return `${status} lacks the header ${name}`
    }
    if (!described.content) return text === '' ? undefined : `${status} has a body: ${text}`
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    if (!described.content[type]) return `${status} has the content type ${type}`
    const pointer = ['paths', path, method.toLowerCase(), 'responses', status, 'content', type, 'schema']
      .map(part => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/')
    const valid = ajv.getSchema(`${documentId}#/${pointer}`)
    if (!valid) return `no schema at ${pointer}`
    return valid(JSON.parse(text)) ? undefined : `${status} ${text}: ${ajv.errorsText(valid.errors)}`
  }
}
