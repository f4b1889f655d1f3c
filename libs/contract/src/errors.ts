/**
 * Every answer that is not a success: tag, HTTP status, numeric code and body, in one place.
 * The envelope and the three compute bodies are the specification's section "Errors"; codes are status*100 + n.
 */
import { z } from 'zod'

/** Tag → HTTP status. Tags marked `bare` do not use the envelope (specification, "Errors"). */
export const tags = {
  Validation: { status: 400, means: 'the request is malformed' },
  Unauthorized: { status: 401, means: 'missing, invalid or expired credential' },
  Forbidden: {
    status: 403,
    means: 'the credential may not act here, or the workspace context is missing or mismatched',
  },
  NotFound: { status: 404, means: 'no such route, or no such resource in this workspace' },
  RequestTimeout: { status: 408, means: 'the request was not received in time' },
  Conflict: { status: 409, means: 'conflict with the existing state or with an immutable intent' },
  PayloadTooLarge: { status: 413, means: 'the body is larger than the limit' },
  UnsupportedMediaType: { status: 415, means: 'the body is not plain JSON' },
  Unprocessable: { status: 422, means: 'well-formed, but it cannot be processed' },
  RateLimited: { status: 429, means: 'too many requests' },
  HeadersTooLarge: { status: 431, means: 'the request headers are larger than the limit' },
  Internal: { status: 500, means: 'a fault of the service' },
  Unavailable: {
    status: 503,
    means: 'not executed, or a repetition does no harm: try again after Retry-After seconds',
  },
  Timeout: { status: 504, means: 'no answer in time; whether the request was executed is unknown' },
  ClusterNotFoundError: { status: 404, bare: true, means: 'no cluster for the given id' },
  ComputeSettingsConflictError: {
    status: 409,
    bare: true,
    means: 'the If-Match etag is not that of the current settings',
  },
  ComputeSettingsQueryError: { status: 503, bare: true, means: 'the settings could not be queried' },
} as const satisfies Record<string, { status: number; bare?: boolean; means: string }>

export type Tag = keyof typeof tags
export type BareTag = { [T in Tag]: (typeof tags)[T] extends { bare: true } ? T : never }[Tag]
export type EnvelopeTag = Exclude<Tag, BareTag>

/** Name → numeric code, tag and the default sentence. The table of codes in the docs is made from it. */
export const codes = {
  malformed_json: [40001, 'Validation', 'The body is not valid JSON.'],
  invalid_body: [40002, 'Validation', 'The body is not valid.'],
  invalid_header: [40003, 'Validation', 'A header is not valid.'],
  invalid_parameter: [40004, 'Validation', 'A path or query parameter is not valid.'],
  malformed_request: [40005, 'Validation', 'The request is not valid HTTP.'],
  credential_missing: [
    40101,
    'Unauthorized',
    'No credential was sent. Send the header "Authorization: Bearer <token>".',
  ],
  credential_invalid: [40102, 'Unauthorized', 'The credential is invalid, expired or revoked.'],
  sign_in_failed: [40103, 'Unauthorized', 'The e-mail address or the password is wrong.'],
  workspace_required: [
    40301,
    'Forbidden',
    'This credential reaches several workspaces. Name one in the header "Svc-Context: ws_<id>".',
  ],
  workspace_mismatch: [
    40302,
    'Forbidden',
    'Svc-Context names another workspace than that of the API token. Leave the header out.',
  ],
  not_a_member: [40303, 'Forbidden', 'The credential may not act in the workspace that Svc-Context names.'],
  role_too_low: [40304, 'Forbidden', "The credential's role in this workspace does not permit this."],
  credential_kind: [40305, 'Forbidden', 'This kind of credential may not call this operation.'],
  not_entitled: [
    40306,
    'Forbidden',
    'The offer is for others: it names the e-mail addresses that may use it.',
  ],
  unknown_route: [40401, 'NotFound', 'There is no such route.'],
  not_found: [40402, 'NotFound', 'There is no such resource in this workspace.'],
  request_timeout: [40801, 'RequestTimeout', 'The request was not received in time.'],
  key_reused: [
    40901,
    'Conflict',
    'This Idempotency-Key was used with a different request. Use a new key for a new intent.',
  ],
  key_in_flight: [
    40902,
    'Conflict',
    'The first request with this Idempotency-Key is still being processed. Retry with the same key shortly.',
  ],
  reservation_expired: [
    40903,
    'Conflict',
    'The reservation of this Idempotency-Key expired before an offer was created. Use another key.',
  ],
  limit_reached: [40904, 'Conflict', 'The limit for this workspace is reached.'],
  already_exists: [40905, 'Conflict', 'It exists already, with other content.'],
  last_owner: [40906, 'Conflict', 'A workspace has at least one owner. Make another member owner first.'],
  key_too_young: [40907, 'Conflict', 'The next signing key is not known everywhere yet.'],
  key_signs: [40908, 'Conflict', 'The active signing key cannot be removed. Rotate the keys first.'],
  in_use: [40909, 'Conflict', 'It cannot be deleted while something refers to it.'],
  wrong_state: [40910, 'Conflict', 'The order is in a state from which this step does not start.'],
  offer_revoked: [40911, 'Conflict', 'The seller has revoked the offer.'],
  offer_expired: [40912, 'Conflict', 'The offer has expired.'],
  offer_exhausted: [40913, 'Conflict', 'The offer has been used as often as it may be.'],
  no_seat: [
    40914,
    'Conflict',
    'Orders under way hold the last seats of the offer. Try again when one has ended.',
  ],
  paid_elsewhere: [
    40915,
    'Conflict',
    'The payment of this order is confirmed by the checkout that takes it.',
  ],
  payload_too_large: [41301, 'PayloadTooLarge', 'The body is larger than 256 KB.'],
  unsupported_media_type: [
    41501,
    'UnsupportedMediaType',
    'Send the body as JSON, with the header "Content-Type: application/json".',
  ],
  unsupported_encoding: [
    41502,
    'UnsupportedMediaType',
    'Send the body uncompressed, without Content-Encoding.',
  ],
  unknown_reference: [42201, 'Unprocessable', 'There is no such resource in this workspace.'],
  no_current_version: [42202, 'Unprocessable', 'The product has no current package version.'],
  version_of_other_package: [
    42203,
    'Unprocessable',
    "The package version does not belong to the product's package.",
  ],
  channel_of_other_product: [42204, 'Unprocessable', 'The offer channel belongs to another product.'],
  channel_inactive: [42205, 'Unprocessable', 'The offer channel is not active or has no active policy.'],
  time_in_past: [42206, 'Unprocessable', 'The time must lie in the future.'],
  price_refused: [42207, 'Unprocessable', "The offer channel's policy refuses this price."],
  mode_refused: [42208, 'Unprocessable', "The offer channel's policy refuses this commercial mode."],
  invalid_field_value: [
    42209,
    'Unprocessable',
    "The value is not valid against the package version's input schema.",
  ],
  invalid_input_schema: [42210, 'Unprocessable', 'The input schema is not acceptable.'],
  link_invalid: [42211, 'Unprocessable', 'The link is unknown, used or expired. Ask for another one.'],
  rate_limited: [42901, 'RateLimited', 'Too many requests.'],
  too_many_attempts: [42902, 'RateLimited', 'Too many attempts. Try again later.'],
  headers_too_large: [43101, 'HeadersTooLarge', 'The request headers are larger than 16 KB.'],
  internal: [50001, 'Internal', 'Something went wrong on our side. Quote the request id when you report it.'],
  unavailable: [50301, 'Unavailable', 'The service cannot be reached right now. Nothing was executed.'],
  overloaded: [50302, 'Unavailable', 'The service is at its limit right now. Nothing was executed.'],
  read_only: [50303, 'Unavailable', 'The service cannot write right now. Nothing was executed.'],
  timeout: [
    50401,
    'Timeout',
    'No answer in time. Whether the request was executed is unknown: retry with the same Idempotency-Key, or read first.',
  ],
} as const satisfies Record<string, readonly [number, EnvelopeTag, string]>

export type CodeName = keyof typeof codes

/** One entry of `errors` in the envelope. */
export const errorEntry = z.object({
  code: z.int(),
  message: z.string(),
  path: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.string()).optional(),
})
export type ErrorEntry = z.infer<typeof errorEntry>

/** At most this many entries are listed in one answer. */
export const maxErrorEntries = 50

/**
 * An expected refusal. Handlers throw it; `serve` and the gateway turn it into status and body.
 * Anything else that is thrown is a fault and answers `Internal` without detail.
 */
export class ApiError extends Error {
  readonly tag: Tag
  readonly status: number
  readonly body: object
  readonly headers: Record<string, string>
  /** The name of the first code in the table, where the body is the envelope and was made here. */
  readonly reason: CodeName | undefined

  constructor(
    tag: Tag,
    message: string,
    body: object,
    { headers = {}, reason }: { headers?: Record<string, string>; reason?: CodeName } = {},
  ) {
    super(message)
    this.name = 'ApiError'
    this.reason = reason
    this.tag = tag
    this.status = tags[tag].status
    this.body = body
    this.headers = headers
  }
}

type EntryDetail = Omit<Partial<ErrorEntry>, 'code'> & { headers?: Record<string, string> }

/** A refusal in the envelope with one entry, from the table of codes. `headers` go onto the answer. */
export function refusal(name: CodeName, { headers, ...detail }: EntryDetail = {}): ApiError {
  const [code, tag, message] = codes[name]
  // RFC 6750 section 3.1: a credential that was sent and is not good is named so.
  const challenge = name === 'credential_invalid' && { 'WWW-Authenticate': 'Bearer error="invalid_token"' }
  return new ApiError(tag, detail.message ?? message, envelope(tag, [{ code, message, ...detail }]), {
    headers: { ...standingHeaders(tag), ...challenge, ...headers },
    reason: name,
  })
}

/** One entry of the table of codes, for a refusal that lists several. */
export function entryOf(name: CodeName, detail: Omit<EntryDetail, 'headers'> = {}): ErrorEntry {
  const [code, , message] = codes[name]
  return { code, message, ...detail }
}

/** A refusal in the envelope with several entries, of which the first {@link maxErrorEntries} are kept. */
export function envelopeError(tag: EnvelopeTag, errors: ErrorEntry[]): ApiError {
  return new ApiError(tag, errors[0]?.message ?? tag, envelope(tag, errors), {
    headers: standingHeaders(tag),
  })
}

const envelope = (tag: EnvelopeTag, errors: ErrorEntry[]) => ({
  _tag: tag,
  success: false,
  errors: errors.slice(0, maxErrorEntries),
  result: {},
})

/** For an operation whose repetition is harmless, in place of `Timeout`: the caller need not find out what happened. */
export const repeatable = (): ApiError =>
  refusal('unavailable', { message: 'No answer in time. A repetition does no harm: try again.' })

/** A refusal outside the envelope: the compute bodies of the specification. */
export function bareError(tag: BareTag, fields: Record<string, unknown> = {}): ApiError {
  return new ApiError(tag, tag, { _tag: tag, ...fields }, { headers: standingHeaders(tag) })
}

/** Headers that an answer of this tag always carries: RFC 6750 section 3, RFC 9110 section 10.2.3. */
function standingHeaders(tag: Tag): Record<string, string> {
  if (tag === 'Unauthorized') return { 'WWW-Authenticate': 'Bearer' }
  if (tags[tag].status === 503 || tag === 'RateLimited') return { 'Retry-After': '1' }
  return {}
}

/** The zod schema of the body that carries `tag`. */
export function errorBody(tag: Tag): z.ZodType {
  const shape = bareShapes[tag as BareTag]
  if (shape) return z.object({ _tag: z.literal(tag), ...shape })
  return z.object({
    _tag: z.literal(tag),
    success: z.literal(false),
    errors: z.array(errorEntry).min(1).max(maxErrorEntries),
    result: z.strictObject({}),
  })
}

const bareShapes: Record<BareTag, z.ZodRawShape> = {
  ClusterNotFoundError: {},
  ComputeSettingsConflictError: { message: z.string(), currentEtag: z.string() },
  ComputeSettingsQueryError: { cause: z.unknown() },
}
