import * as z from 'zod'
import { codes } from './error-codes.ts'
import { type ErrorEntry, envelopeError, maxErrorEntries, refusal } from './errors.ts'
import { type Input, type Operation, headerName } from './operation.ts'
import { refusedNames } from './refused-names.ts'
import { similarName } from './similar-name.ts'
import { endOfTime } from './text.ts'

/** Parameters and headers as text, the body as parsed JSON (undefined: no body was sent). */
export interface RawInput {
  readonly params: Record<string, string>
  readonly query: URLSearchParams
  readonly headers: Record<string, string>
  readonly body: unknown
}

const noQuery = z.strictObject({})

export const maxParameters = 64

/** @throws ApiError `Validation` if a query has more than {@link maxParameters} parameters */
export function boundParameters(query: string): void {
  let parameters = 1
  for (let at = query.indexOf('&'); at >= 0; at = query.indexOf('&', at + 1)) {
    if (++parameters > maxParameters) {
      throw refusal('invalid_parameter', { message: `The query has more than ${maxParameters} parameters.` })
    }
  }
}

/**
 * Validates every declared input of an operation.
 *
 * @throws ApiError `Validation` with one entry per problem, at most {@link maxErrorEntries}, each with the path of
 * the field
 */
export function parseInput<Op extends Operation>(op: Op, raw: RawInput): Input<Op> {
  const entries: ErrorEntry[] = []
  const parse = (
    code: number,
    schema: z.ZodType | undefined,
    value: unknown,
    naming = (path: string[]) => path,
  ) => {
    if (!schema) return undefined
    const result = schema.safeParse(value, { error: sentence })
    if (result.success) return result.data
    for (const { path, message, metadata } of problems(result.error.issues)) {
      if (entries.length >= maxErrorEntries) break
      entries.push({ ...entry(code, naming(path), message), ...(metadata && { metadata }) })
    }
    return undefined
  }
  const params = parse(codes.invalid_parameter[0], op.params, raw.params)
  const query =
    op.query || raw.query.size > 0
      ? parse(codes.invalid_parameter[0], op.query ?? noQuery, once(raw.query, entries))
      : undefined
  const headers = parse(codes.invalid_header[0], op.headers, raw.headers, ([name = '', ...rest]) => [
    headerName(name),
    ...rest,
  ])
  const body = parse(codes.invalid_body[0], bodySchema(op, raw.body), raw.body)
  if (entries.length > 0) throw envelopeError('Validation', entries)
  return { params, query: op.query && query, headers, body } as Input<Op>
}

/** Query parameters as a record; a repeated one is ambiguous, and refused. */
function once(query: URLSearchParams, entries: ErrorEntry[]): Record<string, string> {
  const named = new Set<string>()
  const repeated = new Set<string>()
  for (const name of query.keys()) (named.has(name) ? repeated : named).add(name)
  for (const name of repeated) {
    if (entries.length >= maxErrorEntries) break
    entries.push(entry(codes.invalid_parameter[0], [name], 'is given more than once'))
  }
  return Object.fromEntries(query)
}

function bodySchema(op: Operation, body: unknown): z.ZodType | undefined {
  return op.variant && typeof body === 'object' && body !== null ? op.variant(body) : op.body
}

function entry(code: number, names: string[], message: string): ErrorEntry {
  const path = names.map(name => (name.length > 100 ? `${name.slice(0, 100)}…` : name))
  const subject = path.length > 0 ? path.join('.') : 'The body'
  return { code, message: `${subject} ${message}${message.endsWith('?') ? '' : '.'}`, path }
}

/** How many unknown names are compared with the known ones: a request may have thousands. */
const maxCompared = 10

interface Found {
  readonly path: string[]
  readonly message: string
  /** The rule of a schema for programs: `params.metadata` of its issue. */
  readonly metadata?: Record<string, string>
}

/** Turns issues of zod into problems, lazily. An unrecognised key is a problem of its own, at its own path. */
function* problems(issues: z.core.$ZodIssue[]): Generator<Found> {
  let compared = 0
  for (const issue of issues) {
    const path = issue.path.map(String)
    if (issue.code !== 'unrecognized_keys') {
      const metadata = issue.code === 'custom' ? issue.params?.metadata : undefined
      yield { path, message: issue.message, ...(metadata && { metadata }) }
      continue
    }
    const { reasons = {}, free = [] } = refusedBy.get(issue.keys) ?? {}
    for (const key of issue.keys) {
      const reason = Object.hasOwn(reasons, key) ? reasons[key] : undefined
      const meant = reason || ++compared > maxCompared ? undefined : similarName(key, free)
      const unknown = meant ? `is not accepted here: did you mean ${meant}?` : 'is not accepted here'
      yield { path: [...path, key], message: reason ?? unknown }
    }
  }
}

interface RefusedBy {
  readonly reasons: Readonly<Record<string, string>> | undefined
  readonly free: readonly string[]
}

/** By the unrecognised keys of an issue, since zod drops the schema from its report. */
const refusedBy = new WeakMap<readonly string[], RefusedBy>()

function noteRefusing({ keys, inst, input }: z.core.$ZodRawIssue<z.core.$ZodIssueUnrecognizedKeys>) {
  if (!(inst instanceof z.ZodObject)) return
  const free = Object.keys(inst.shape).filter(name => !Object.hasOwn(input as object, name))
  refusedBy.set(keys, { reasons: refusedNames.get(inst), free })
}

const typeNames: Record<string, string> = {
  int: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
  record: 'an object',
  array: 'an array',
}

const units: Record<string, string> = { string: 'character', array: 'item' }

/**
 * The problem of a field; continues a sentence that begins with the field's name. A schema's own message takes
 * precedence.
 */
function sentence(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'too_small':
      return bound('at least', issue.minimum, units[issue.origin])
    case 'too_big':
      if (issue.maximum === endOfTime && Number(issue.input) / 1000 <= endOfTime) {
        return `must be in Unix seconds, at most ${endOfTime}: it looks like milliseconds`
      }
      return bound('at most', issue.maximum, units[issue.origin])
    case 'unrecognized_keys':
      noteRefusing(issue)
      return undefined
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`
    case 'invalid_union':
      if (issue.input === undefined) return 'is required'
      return 'matches none of the accepted forms'
    default:
      return undefined
  }
}

function bound(relation: string, limit: number | bigint, unit: string | undefined): string {
  if (!unit) return `must be ${relation} ${limit}`
  return `must have ${relation} ${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`
}
