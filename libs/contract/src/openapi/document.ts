/**
 * The OpenAPI 3.1 document, derived from the contract and from `-reference.ts` and `-examples.ts` of the resources.
 */
import { headers } from './headers.ts'
import { parametersOf, sharedParameters } from './parameters.ts'
import { responsesOf, sharedExamples, sharedResponses } from './responses.ts'
import { createSchemas, type Schemas } from './schemas.ts'
import { requestExamples } from './examples.ts'
import { securityOf, securitySchemes, whoMay } from './security.ts'
import { errorBody } from '../core/errors.ts'
import { type Tag, tags } from '../core/error-codes.ts'
import { groups } from './groups.ts'
import { referenceOf } from './reference.ts'
import { root } from '../core/root.ts'
import { webhooks } from './webhooks.ts'
import type { Operation } from '../core/operation.ts'
import { type NamedOperation, operations } from '../services.ts'
import { endOfTime } from '../core/text.ts'

export const apiVersion = '1.0.0'
const introduction = `Sellers publish offers, customers order and install them, teams manage workspace API tokens, operators change compute settings.

Every path is relative to the versioned root. Bodies are JSON. Times are Unix seconds, up to ${endOfTime}, the last second of the year 9999. Send \`Authorization: Bearer <token>\` with a session token, a workspace API token (\`sk_svc_…\`) or a JWT; if a token gives access to several workspaces, name one in \`Svc-Context\`. Sign-in of command lines and the exchange of sessions for JWTs are OAuth 2.0, described by \`/.well-known/oauth-authorization-server\`.

Every error has one of the bodies described here. Programs decide by \`errors[].code\`; quote \`Svc-Request-Id\` to support.`

export function openApiDocument(serverUrl: string = root) {
  const schemas = createSchemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const named of operations) {
    const { http } = named.operation
    if (!http) continue
    paths[http.path] ??= {}
    Object.assign(paths[http.path] as object, { [http.method.toLowerCase()]: describe(named, schemas) })
  }
  const tagSchemas = Object.fromEntries(
    (Object.keys(tags) as Tag[])
      // The document does not describe methods that a path lacks.
      .filter(tag => tag !== 'MethodNotAllowed')
      .map(tag => [tag, { description: tags[tag].means, ...schemas.of(errorBody(tag), 'output') }]),
  )
  const responses = sharedResponses()
  return schemas.finish({
    openapi: '3.1.0',
    info: {
      title: 'Offers, API tokens and cluster compute settings',
      version: apiVersion,
      description: introduction,
      contact: { name: 'The operator of this installation' },
      license: {
        name: 'UNLICENSED',
        url: 'https://docs.npmjs.com/cli/configuring-npm/package-json#license',
      },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(schemas),
    components: {
      securitySchemes,
      parameters: sharedParameters(schemas),
      headers,
      responses,
      examples: sharedExamples([paths, responses]),
      schemas: { ...tagSchemas, ...schemas.named() },
    },
  })
}

function describe(named: NamedOperation, schemas: Schemas) {
  const { service, name, operation } = named
  const { group, description } = referenceOf(named)
  const body = bodyOf(named, schemas)
  return {
    operationId: `${service}.${name}`,
    summary: operation.summary,
    description: [description, auditSentence(operation), whoMay(operation)].filter(Boolean).join('\n\n'),
    tags: [group],
    security: securityOf(operation),
    parameters: parametersOf(named, schemas),
    ...(body && { requestBody: body }),
    responses: responsesOf(named, schemas),
  }
}

const auditSentence = ({ event }: Operation): string =>
  event ? `It is in the audit log as \`${event}\`.` : ''

function bodyOf(named: NamedOperation, schemas: Schemas) {
  const { body, raw } = named.operation
  if (!body && !raw) return undefined
  const schema = body ? schemas.of(body, 'input') : { description: 'As it was signed.' }
  const examples = requestExamples(named)
  return {
    required: raw === true || !body?.safeParse(undefined).success,
    content: { 'application/json': { schema, ...(examples && { examples }) } },
  }
}
