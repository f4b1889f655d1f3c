import { type BareTag, type CodeName, codes, type EnvelopeTag, type Tag, tags } from '../core/error-codes.ts'
import { bareError, refusal } from '../core/errors.ts'
import { type Examples, responseExamples } from './examples.ts'
import { headersOf } from './headers.ts'
import type { Schemas } from './schemas.ts'
import type { Operation } from '../core/operation.ts'
import { referenceOf } from './reference.ts'
import { type NamedOperation, operations } from '../services.ts'

const anyOperation: Tag[] = [
  'Validation',
  'Unauthorized',
  'Forbidden',
  'RequestTimeout',
  'RateLimited',
  'HeadersTooLarge',
  'Internal',
  'Unavailable',
  'Timeout',
]
const bodyRead: Tag[] = ['PayloadTooLarge', 'UnsupportedMediaType']

/** Refusals that are the same for every operation, with all of their codes. */
const sameEverywhere = {
  RequestTimeout: ['request_timeout'],
  PayloadTooLarge: ['payload_too_large'],
  UnsupportedMediaType: ['unsupported_media_type', 'unsupported_encoding', 'unsupported_charset'],
  HeadersTooLarge: ['headers_too_large'],
  Internal: ['internal'],
  Unavailable: ['unavailable', 'overloaded', 'read_only'],
  Timeout: ['timeout'],
} as const satisfies Partial<Record<EnvelopeTag, readonly CodeName[]>>

const shared = (tag: Tag): tag is keyof typeof sameEverywhere => Object.hasOwn(sameEverywhere, tag)

const extraHeaders: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

const rateLimitHeaders = ['RateLimit', 'RateLimit-Policy']

const successes: Record<number, string> = {
  200: 'The response.',
  201: 'The created resource.',
  204: 'Done. The response has no body.',
}

export function responsesOf(named: NamedOperation, schemas: Schemas) {
  const { http, output, access, replyHeaders = [] } = named.operation
  const limits = access.credentials.length > 0 ? rateLimitHeaders : []
  const status = http?.status ?? 200
  const success = {
    description: successes[status] ?? 'Success.',
    headers: headersOf(['Svc-Request-Id', ...limits, ...replyHeaders]),
    ...(output && { content: json(schemas.of(output, 'output'), responseExamples(named, status)) }),
  }
  const failures = failuresOf(named).map(failure => [
    failure.status,
    failure.examples ? describe(failure) : { $ref: `#/components/responses/${nameOf(failure)}` },
  ])
  return { [status]: success, ...Object.fromEntries(failures) }
}

export function sharedResponses() {
  const shared = operations
    .filter(({ operation }) => operation.http)
    .flatMap(named => failuresOf(named).filter(({ examples }) => !examples))
  const named = new Map(shared.map(failure => [nameOf(failure), failure]))
  return Object.fromEntries([...named].sort().map(([name, failure]) => [name, describe(failure)]))
}

interface Failure {
  readonly status: number
  readonly tags: readonly Tag[]
  readonly codes: readonly CodeName[]
  readonly examples: Examples | undefined
}

function failuresOf(named: NamedOperation): Failure[] {
  const { http, errors } = named.operation
  const byStatus = new Map<number, Tag[]>()
  for (const tag of [...anyOperation, ...(http?.method === 'GET' ? [] : bodyRead), ...errors]) {
    byStatus.set(tags[tag].status, [...new Set([...(byStatus.get(tags[tag].status) ?? []), tag])])
  }
  return [...byStatus].map(([status, group]) => ({
    status,
    tags: group,
    codes: group.flatMap(tag => codesOf(tag, named)).sort((a, b) => codes[a][0] - codes[b][0]),
    examples: responseExamples(named, status),
  }))
}

/** By tags only if those have the same codes everywhere; otherwise with the codes. */
function nameOf({ tags: group, codes: names }: Failure): string {
  const numbers = group.some(tag => !shared(tag)) ? names.map(name => codes[name][0]) : []
  return [...group, ...numbers].join('_')
}

function describe({ status, tags: group, codes: names, examples: own }: Failure) {
  const [first, ...more] = group.map(tag => ({ $ref: `#/components/schemas/${tag}` }))
  const means = group.map(tag => tags[tag].means).join('; or ')
  const listed = names.map(name => `- \`${codes[name][0]}\` ${codes[name][2]}`).join('\n')
  const others = [...names, ...group.filter(tag => 'bare' in tags[tag])].filter(
    name => !Object.hasOwn(own ?? {}, name),
  )
  const examples = {
    ...own,
    ...Object.fromEntries(others.map(name => [name, { $ref: `#/components/examples/${name}` }])),
  }
  return {
    description: `${means[0]?.toUpperCase()}${means.slice(1)}.${listed && `\n\n${listed}`}`,
    headers: headersOf(['Svc-Request-Id', ...(extraHeaders[status] ?? [])]),
    content: json(
      more.length === 0 ? (first as object) : { oneOf: [first, ...more] },
      Object.keys(examples).length > 0 ? examples : undefined,
    ),
  }
}

/** The operation's codes: those that follow from its declaration, and those of its reference. */
function codesOf(tag: Tag, named: NamedOperation): readonly CodeName[] {
  if (shared(tag)) return sameEverywhere[tag]
  const own = (referenceOf(named).codes ?? []).filter(name => codes[name][1] === tag)
  if (tag === 'Unauthorized') return unauthorizedCodes(named.operation)
  if (tag === 'Validation') return validationCodes(named.operation)
  if (tag === 'Forbidden') return [...new Set([...forbiddenCodes(named.operation), ...own])]
  if (tag === 'RateLimited') return [...own, ...rateLimitCodes(named.operation)]
  return tag === 'NotFound' && own.length === 0 ? ['not_found'] : own
}

const unauthorizedCodes = ({ stepUp }: Operation): CodeName[] => [
  'credential_missing',
  'credential_invalid',
  ...(stepUp ? (['step_up_required'] as const) : []),
]

function validationCodes({ http, body, params, query }: Operation): CodeName[] {
  return [
    'malformed_request',
    'invalid_header',
    ...(params || query ? (['invalid_parameter'] as const) : []),
    ...(body || http?.method !== 'GET' ? (['malformed_json'] as const) : []),
    ...(body ? (['invalid_body', 'repeated_key'] as const) : []),
  ]
}

const rateLimitCodes = ({ access }: Operation): CodeName[] =>
  access.credentials.length > 0 ? ['rate_limited', 'share_exceeded'] : ['share_exceeded']

function forbiddenCodes({ access, permission }: Operation): CodeName[] {
  const { credentials, workspace, workspaceParam, roles, anonymous, itself } = access
  if (credentials.length === 0) return []
  return [
    ...(workspace ? (['workspace_required'] as const) : []),
    'workspace_mismatch',
    'not_a_member',
    ...((workspace || workspaceParam) && !roles.includes('member') ? (['role_too_low'] as const) : []),
    ...(credentials.includes('api_token') ? (['address_refused'] as const) : (['credential_kind'] as const)),
    ...(permission || !(anonymous || itself) ? (['permission_missing'] as const) : []),
    ...(workspace || workspaceParam ? (['second_factor_required'] as const) : []),
  ]
}

export function sharedExamples(answers: object) {
  const text = JSON.stringify(answers)
  const ofCodes = (Object.keys(codes) as CodeName[]).map(name => [
    name,
    { summary: codes[name][2], value: refusal(name).body },
  ])
  const bare = Object.entries(bareBodies).map(([tag, value]) => [
    tag,
    { summary: tags[tag as Tag].means, value },
  ])
  const referred = ([name]: unknown[]) => text.includes(`"#/components/examples/${name}"`)
  return Object.fromEntries([...ofCodes, ...bare].filter(referred))
}

const bareBodies: Record<BareTag, object> = {
  ClusterNotFoundError: bareError('ClusterNotFoundError').body,
  ComputeSettingsConflictError: bareError('ComputeSettingsConflictError', {
    message: 'The settings have changed.',
    currentEtag: 'T9sLe4HuYp6Gd1Jf',
  }).body,
  ComputeSettingsQueryError: bareError('ComputeSettingsQueryError', { cause: 'unavailable' }).body,
}

const json = (schema: object, examples?: Examples) => ({
  'application/json': { schema, ...(examples && { examples }) },
})
