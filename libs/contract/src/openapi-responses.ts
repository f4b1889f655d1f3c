/** Answers of operations: the success, and for each status of a refusal its tags and codes. */
import { type CodeName, codes, type EnvelopeTag, type Tag, tags } from './error-codes.ts'
import { refusal } from './errors.ts'
import { type Examples, responseExamples } from './openapi-examples.ts'
import { headersOf } from './openapi-headers.ts'
import type { Schemas } from './openapi-schemas.ts'
import type { Operation } from './operation.ts'
import { referenceOf } from './reference/reference.ts'
import type { NamedOperation } from './services.ts'

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

/** What every operation refuses in the same way, with all of its codes. */
const sameEverywhere = {
  Unauthorized: ['credential_missing', 'credential_invalid'],
  RequestTimeout: ['request_timeout'],
  PayloadTooLarge: ['payload_too_large'],
  UnsupportedMediaType: ['unsupported_media_type', 'unsupported_encoding'],
  HeadersTooLarge: ['headers_too_large'],
  Internal: ['internal'],
  Unavailable: ['unavailable', 'overloaded', 'read_only'],
  Timeout: ['timeout'],
} as const satisfies Partial<Record<EnvelopeTag, readonly CodeName[]>>

const shared = (tag: Tag): tag is keyof typeof sameEverywhere => Object.hasOwn(sameEverywhere, tag)

/** What an answer of this status says beside its body. */
const extraHeaders: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit'],
  503: ['Retry-After'],
}

const successes: Record<number, string> = {
  200: 'The answer.',
  201: 'What was created.',
  204: 'Done. The answer has no body.',
}

export function responsesOf(named: NamedOperation, schemas: Schemas) {
  const { http, output, replyHeaders = [], errors } = named.operation
  const status = http?.status ?? 200
  const success = {
    description: successes[status] ?? 'Success.',
    headers: headersOf(['Svc-Request-Id', ...replyHeaders]),
    ...(output && { content: json(schemas.of(output, 'output'), responseExamples(named, status)) }),
  }
  const byStatus = new Map<number, Tag[]>()
  for (const tag of [...anyOperation, ...(http?.method === 'GET' ? [] : bodyRead), ...errors]) {
    byStatus.set(tags[tag].status, [...(byStatus.get(tags[tag].status) ?? []), tag])
  }
  const failures = [...byStatus].map(([status, group]) => [status, failure(named, status, group)])
  return { [status]: success, ...Object.fromEntries(failures) }
}

function failure(named: NamedOperation, status: number, group: Tag[]) {
  const [first] = group
  const told = responseExamples(named, status)
  if (group.length === 1 && first && shared(first) && !told) {
    return { $ref: `#/components/responses/${first}` }
  }
  return describe(
    status,
    group,
    group.flatMap(tag => codesOf(tag, named)),
    told,
  )
}

/** The answers that operations refer to. */
export const sharedResponses = () =>
  Object.fromEntries(
    Object.entries(sameEverywhere).map(([tag, names]) => [
      tag,
      describe(tags[tag as Tag].status, [tag as Tag], names),
    ]),
  )

function describe(status: number, group: Tag[], names: readonly CodeName[], told?: Examples) {
  const refs = group.map(tag => ({ $ref: `#/components/schemas/${tag}` }))
  const means = group.map(tag => tags[tag].means).join('; or ')
  const listed = names.map(name => `- \`${codes[name][0]}\` ${codes[name][2]}`).join('\n')
  const others = names.filter(name => !told || !Object.hasOwn(told, name))
  return {
    description: `${means[0]?.toUpperCase()}${means.slice(1)}.${listed && `\n\n${listed}`}`,
    headers: headersOf(['Svc-Request-Id', ...(extraHeaders[status] ?? [])]),
    content: json(refs.length === 1 ? (refs[0] as object) : { oneOf: refs }, {
      ...told,
      ...Object.fromEntries(others.map(name => [name, { $ref: `#/components/examples/${name}` }])),
    }),
  }
}

/** The codes with which an operation refuses: those that follow from what it declares, and those of its reference. */
export function codesOf(tag: Tag, named: NamedOperation): readonly CodeName[] {
  if (shared(tag)) return sameEverywhere[tag]
  const own = (referenceOf(named).codes ?? []).filter(name => codes[name][1] === tag)
  if (tag === 'Validation') return validationCodes(named.operation)
  if (tag === 'Forbidden') return [...new Set([...forbiddenCodes(named.operation), ...own])]
  return tag === 'NotFound' && own.length === 0 ? ['not_found'] : own
}

function validationCodes({ http, body, params, query }: Operation): CodeName[] {
  return [
    'malformed_request',
    'invalid_header',
    ...(params || query ? (['invalid_parameter'] as const) : []),
    ...(body || http?.method !== 'GET' ? (['malformed_json'] as const) : []),
    ...(body ? (['invalid_body'] as const) : []),
  ]
}

function forbiddenCodes({ access }: Operation): CodeName[] {
  const { credentials, workspace, workspaceParam, roles } = access
  if (credentials.length === 0) return []
  return [
    ...(workspace ? (['workspace_required'] as const) : []),
    'workspace_mismatch',
    'not_a_member',
    ...((workspace || workspaceParam) && !roles.includes('member') ? (['role_too_low'] as const) : []),
    ...(credentials.includes('api_token') ? [] : (['credential_kind'] as const)),
  ]
}

/** The body of each code to which the answers refer. */
export function codeExamples(answers: object) {
  const text = JSON.stringify(answers)
  const names = (Object.keys(codes) as CodeName[]).filter(name =>
    text.includes(`"#/components/examples/${name}"`),
  )
  return Object.fromEntries(names.map(name => [name, { summary: codes[name][2], value: refusal(name).body }]))
}

const json = (schema: object, examples?: Examples) => ({
  'application/json': { schema, ...(examples && { examples }) },
})
