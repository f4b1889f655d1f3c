import { ApiError } from '@svc/contract/core/errors'
import type { FastifyRequest } from 'fastify'
import { unansweredText } from '../page/error-text.tsx'
import type { Problems } from './form-fields.ts'
import { entriesOf, isUnanswered } from './refused-as.ts'
import { chosenOf, type FieldSpec, type FieldValues, fill, pathOf } from './field-spec.ts'
import { problemText } from './problem-text.ts'

export const valuesOf = ({ request }: { readonly request: FastifyRequest }): FieldValues =>
  Object.fromEntries((request.body as { fields: URLSearchParams }).fields)

export interface Refused {
  readonly problems: Problems
  readonly status: number
  /** The operation's first success status. */
  readonly code?: number | undefined
}

type Sent<T> = { readonly done: T } | { readonly refused: Refused }

/**
 * Fills in the body and calls. A refusal is returned as problems of fields.
 *
 * @throws ApiError for refusals that a form cannot show: no permission, not found
 */
export async function send<T>(
  fields: readonly FieldSpec[],
  values: FieldValues,
  call: (body: never) => Promise<T>,
  fixed?: object,
): Promise<Sent<T>> {
  const { body, problems } = fill(fields, values, fixed)
  if (Object.keys(problems).length > 0) return { refused: { problems, status: 422 } }
  // With a key it creates one, however often it is sent.
  return attempt(fields, () => call(body as never), Boolean(values.key))
}

export async function attempt<T>(
  fields: readonly FieldSpec[],
  call: () => Promise<T>,
  isRepeatable = false,
): Promise<Sent<T>> {
  try {
    return { done: await call() }
  } catch (error) {
    // The form is shown again with everything that was typed.
    if (isUnanswered(error))
      return { refused: { problems: { '': unansweredText(error, isRepeatable) }, status: error.status } }
    // Their own pages show refusals outside the envelope.
    if (!(error instanceof ApiError) || !isInEnvelope(error)) throw error
    if (!shownAtFields.includes(error.status) && !isAboutOneOf(fields, error)) throw error
    const code = entriesOf(error)[0]?.code
    return { refused: { problems: problemsOf(error, fields), status: error.status, code } }
  }
}

const shownAtFields = [400, 409, 422, 429]
const isInEnvelope = ({ body }: ApiError) => 'errors' in body

function problemsOf(error: ApiError, fields: readonly FieldSpec[]): Problems {
  const problems: Record<string, string> = {}
  for (const entry of entriesOf(error)) {
    const spec = fields.find(one => startsWith(entry.path ?? [], pathOf(one)))
    const name = spec?.name ?? ''
    problems[name] = [problems[name], spec ? problemText(entry, spec, fields) : entry.message]
      .filter(Boolean)
      .join(' ')
  }
  return Object.keys(problems).length > 0 ? problems : { '': error.message }
}

const isAboutOneOf = (fields: readonly FieldSpec[], error: ApiError): boolean =>
  entriesOf(error).some(({ path = [] }) => fields.some(spec => startsWith(path, pathOf(spec))))

const startsWith = (path: readonly string[], own: readonly string[] | undefined) =>
  own !== undefined && path.length >= own.length && own.every((name, at) => path[at] === name)

export const beganWith = (fields: readonly FieldSpec[], values: FieldValues): Record<string, string> =>
  Object.fromEntries(
    fields.map(spec => [`was.${spec.name}`, values[`was.${spec.name}`] ?? shownText(spec, values)]),
  )

const shownText = (spec: FieldSpec, values: FieldValues): string =>
  spec.kind === 'checks' ? chosenOf(spec, values).join() : (values[spec.name] ?? '')

/** Omits unchanged fields, which would undo what others changed meanwhile. */
export function changedFields(fields: readonly FieldSpec[], values: FieldValues): readonly FieldSpec[] {
  const plain = (text: string) => text.replace(/\r\n/g, '\n')
  return fields.filter(spec => {
    const was = values[`was.${spec.name}`]
    return was === undefined || plain(shownText(spec, values)) !== plain(was)
  })
}
