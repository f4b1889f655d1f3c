import { codes } from './error-codes.ts'
import { ApiError, type ErrorEntry } from './errors.ts'
import { type IdPrefix, isIdPrefix, nouns } from './id-prefixes.ts'
import type { Operation } from './operation.ts'

const segmentOf = (noun: string) => `${noun.toLowerCase().replaceAll(' ', '_')}s`
const prefixes = new Map(Object.entries(nouns).map(([prefix, noun]) => [segmentOf(noun), prefix as IdPrefix]))

/**
 * Makes a refusal with 40402 say more: that an id in the path is of another kind, or which workspace was searched.
 *
 * @param params of the path, as a query
 */
export function explainNotFound(
  error: ApiError,
  { http, access }: Operation,
  { params, workspace }: { readonly params: string; readonly workspace: string | undefined },
): ApiError {
  if (error.reason !== 'not_found') return error
  const searched =
    access.workspace && workspace && error.message === codes.not_found[2]
      ? `Not found in workspace ${workspace}.`
      : undefined
  const message = otherKind(http?.path ?? '', new URLSearchParams(params)) ?? searched
  if (message === undefined) return error
  const { errors } = error.body as { readonly errors: readonly ErrorEntry[] }
  const body = { ...error.body, errors: errors.map(entry => ({ ...entry, message })) }
  return new ApiError(error.tag, message, body, { headers: error.headers, reason: error.reason })
}

function otherKind(path: string, params: URLSearchParams): string | undefined {
  for (const [, segment = '', name = ''] of path.matchAll(/\/(\w+)\/\{(\w+)\}/g)) {
    const wanted = prefixes.get(segment)
    const [, given = ''] = /^([a-z]+)_/.exec(params.get(name) ?? '') ?? []
    if (!wanted || given === wanted || !isIdPrefix(given)) continue
    const article = /^[aeio]/i.test(nouns[given]) ? 'an' : 'a'
    return `${given}_… is ${article} ${nouns[given]}; ${nouns[wanted]}s begin with ${wanted}_.`
  }
  return undefined
}
