/** All unsuccessful answers: the envelope and the three compute bodies (docs/specification.md, R17, R18). */
import * as z from 'zod'
import { type BareTag, type CodeName, codes, type EnvelopeTag, type Tag, tags } from './error-codes.ts'

export const errorEntry = z
  .object({
    code: z.int().describe('Machine-readable; its first three digits are the status.'),
    message: z.string().describe('For people; may be more precise than the table of codes.'),
    path: z.array(z.string()).optional().describe('The field, header or parameter concerned.'),
    metadata: z
      .record(z.string(), z.string())
      .optional()
      .describe('Details as text. `doc_url` leads to the code in the guide, relative to the API’s address.'),
  })
  .meta({ id: 'ErrorEntry' })
export type ErrorEntry = z.infer<typeof errorEntry>

export const maxErrorEntries = 50

/** How long a proof of who somebody is counts for operations with `stepUp`. */
export const stepUpSeconds = 600

/**
 * An expected refusal. Handlers throw it; `serve` and the gateway turn it into status and body. Any other error is
 * a fault and answered as `Internal` without detail.
 */
export class ApiError extends Error {
  readonly tag: Tag
  readonly status: number
  readonly body: object
  readonly headers: Record<string, string>
  /** The name of the first code, if this process made the envelope. */
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

/** A refusal in the envelope with one entry, from the table of codes. `headers` are added to the answer. */
export function refusal(name: CodeName, { headers, ...detail }: EntryDetail = {}): ApiError {
  const [code, tag, message] = codes[name]
  const challenge = name in challenges && { 'WWW-Authenticate': challenges[name as keyof typeof challenges] }
  return new ApiError(tag, detail.message ?? message, envelope(tag, [{ code, message, ...detail }]), {
    headers: { ...standingHeaders(tag), ...challenge, ...headers },
    reason: name,
  })
}

/** RFC 6750, 3.1, and RFC 9470, 3. */
const challenges = {
  credential_invalid: 'Bearer error="invalid_token"',
  step_up_required: `Bearer error="insufficient_user_authentication", max_age="${stepUpSeconds}"`,
} as const satisfies Partial<Record<CodeName, string>>

export function entryOf(name: CodeName, detail: Omit<EntryDetail, 'headers'> = {}): ErrorEntry {
  const [code, , message] = codes[name]
  return { code, message, ...detail }
}

/** A refusal with several entries, of which the first {@link maxErrorEntries} are kept. */
export function envelopeError(tag: EnvelopeTag, errors: ErrorEntry[]): ApiError {
  return new ApiError(tag, errors[0]?.message ?? tag, envelope(tag, errors), {
    headers: standingHeaders(tag),
  })
}

const envelope = (tag: EnvelopeTag, errors: ErrorEntry[]) => ({
  _tag: tag,
  success: false,
  errors: errors.slice(0, maxErrorEntries).map(withDocUrl),
  result: {},
})

const withDocUrl = (entry: ErrorEntry): ErrorEntry => ({
  ...entry,
  metadata: { ...entry.metadata, doc_url: docUrl(entry.code) },
})

/**
 * The code's section in the errors guide, relative to the address that was called (RFC 3986, 4.2): services do not
 * know the public address, and the gateway does not change their answers.
 */
export const docUrl = (code: number): string => `/docs/errors#${code}`

/** Replaces `Timeout` for an operation that is safe to repeat: the caller can retry. */
export const repeatable = (): ApiError =>
  refusal('unavailable', { message: 'No response in time. It is safe to try again.' })

/** A refusal outside the envelope, with a body of docs/specification.md, R18. */
export function bareError(tag: BareTag, fields: Record<string, unknown> = {}): ApiError {
  return new ApiError(tag, tag, { _tag: tag, ...fields }, { headers: standingHeaders(tag) })
}

/** Headers of every answer with this tag: RFC 6750 section 3, RFC 9110 section 10.2.3. */
function standingHeaders(tag: Tag): Record<string, string> {
  if (tag === 'Unauthorized') return { 'WWW-Authenticate': 'Bearer' }
  if (tags[tag].status === 503 || tag === 'RateLimited') return { 'Retry-After': '1' }
  return {}
}

export function errorBody(tag: Tag): z.ZodType {
  const shape = bareShapes[tag as BareTag]
  if (shape) return z.object({ _tag: tagOf(tag), ...shape })
  return z.object({
    _tag: tagOf(tag),
    success: z.literal(false).describe('Always `false`.'),
    errors: z
      .array(errorEntry)
      .min(1)
      .max(maxErrorEntries)
      .describe(`Every problem that was found, up to ${maxErrorEntries}.`),
    result: z.strictObject({}).describe('Always empty.'),
  })
}

const tagOf = (tag: Tag) => z.literal(tag).describe('The kind of error. Each has one HTTP status.')

const bareShapes: Record<BareTag, z.ZodRawShape> = {
  ClusterNotFoundError: {},
  ComputeSettingsConflictError: {
    message: z.string().describe('What happened, for people.'),
    currentEtag: z
      .string()
      .describe('The etag of the settings as they are now. Read them before you send it in `If-Match`.'),
  },
  ComputeSettingsQueryError: {
    cause: z.unknown().describe('Why, as far as it may be shown. It has no fixed form.'),
  },
}
