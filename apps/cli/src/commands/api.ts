import { ApiResponseError } from '@svc/client'
import type { Command } from 'commander'
import { apiUrl, checkPath } from '../api/api-url.ts'
import { addToQuery, bodyOf, readFields } from '../api/fields.ts'
import { type Header, parseHeader, requestHeaders } from '../api/request-headers.ts'
import { parseQuery } from '../api/select.ts'
import { type ApiRequest, sendRequest } from '../api/send-request.ts'
import { showAnswer } from '../api/show-answer.ts'
import type { Cli } from '../cli.ts'
import { UsageError, withoutSecrets } from '../failure.ts'
import { collect } from '../parse-values.ts'
import { readInput } from '../read-input.ts'
import { withProgress } from '../terminal/progress.ts'
import { withExamples } from '../with-examples.ts'

interface ApiOptions {
  readonly field?: readonly string[]
  readonly rawField?: readonly string[]
  readonly input?: string
  readonly header?: readonly string[]
  readonly query?: string
  readonly paginate?: true
}

export function apiCommand(program: Command, cli: Cli): void {
  withExamples(
    program
      .command('api')
      .description('Send a request to any path of the API, and print the response.')
      .usage('[options] [method] <path>'),
    "api GET offers --field limit=5 --query 'data[].id'",
    "api POST packages --raw-field name='Acme Sync'",
    'api POST /v1/offers --input - < offer.json',
    "api audit_log --header 'Accept: application/x-ndjson'",
  )
    .argument('<method>', 'GET, POST, PATCH, PUT or DELETE (default: GET, or POST with fields or --input)')
    .argument('[path]', 'below the base URL, such as /offers')
    .option(
      '--field <name=value>',
      'true, false, null, a number, @file or text; name[key] and name[] nest; may be repeated',
      collect,
    )
    .option('--raw-field <name=value>', 'the same, always text', collect)
    .option('--input <path>', 'the body, from a file; - reads standard input. Fields are the query then')
    .option('--header <header>', "as 'Name: value'; may be repeated", collect)
    .option('--query <expression>', 'print what this JMESPath selects; of a list, each item in a line')
    .option('--paginate', 'follow next_cursor, one response after another')
    .action((first, second, options) =>
      second === undefined ? api(cli, undefined, first, options) : api(cli, first, second, options),
    )
}

async function api(cli: Cli, named: string | undefined, path: string, options: ApiOptions): Promise<void> {
  const method = methodOf(named, options)
  checkPath(path)
  const given = (options.header ?? []).map(parseHeader)
  const select = options.query === undefined ? undefined : parseQuery(options.query)
  const request = await requestOf(cli, { method, path, given, options })
  for (let cursor: string | undefined; ; ) {
    const text = await answer(cli, request)
    showAnswer(cli, options.paginate && text !== '' ? `${text.trimEnd()}\n` : text, select)
    const next = options.paginate ? nextCursor(text) : undefined
    // The same cursor would repeat for ever.
    if (next === undefined || next === cursor) return
    cursor = next
    request.url.searchParams.set('cursor', next)
  }
}

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']

function methodOf(named: string | undefined, { field, rawField, input, paginate }: ApiOptions): string {
  // A paginated call is a GET: its fields go into the query.
  const fallback = (field || rawField || input !== undefined) && !paginate ? 'POST' : 'GET'
  const method = named?.toUpperCase() ?? fallback
  if (!methods.includes(method)) throw new UsageError(`Give one of ${methods.join(', ')} before the path.`)
  if (method === 'GET' && input !== undefined) throw new UsageError('GET has no body: leave out --input.')
  if (method !== 'GET' && paginate) throw new UsageError('--paginate is for GET.')
  return method
}

interface Wanted {
  readonly method: string
  readonly path: string
  readonly given: readonly Header[]
  readonly options: ApiOptions
}

/** Fields are the body, unless a body is given or the method has none. */
async function requestOf(cli: Cli, { method, path, given, options }: Wanted): Promise<ApiRequest> {
  const { input } = options
  const fields = await readFields(cli, options)
  const inBody = input === undefined && method !== 'GET' && method !== 'DELETE' && fields.length > 0
  const content = input === undefined ? undefined : await readInput(cli, input)
  const body = inBody ? JSON.stringify(bodyOf(fields)) : content
  const connection = await cli.connect()
  const url = apiUrl(connection.baseUrl, path)
  if (!inBody) addToQuery(url, fields)
  for (const [name, value] of given) if (/credential/i.test(name) && value !== '') cli.secrets.add(value)
  return {
    method,
    url,
    headers: requestHeaders(connection, { method, url, hasBody: body !== undefined, given }),
    body,
  }
}

/** Also prints the body of a refusal; the problem is on standard error. */
async function answer(cli: Cli, request: ApiRequest): Promise<string> {
  try {
    return await withProgress(cli, 'waiting', sendRequest(cli, request))
  } catch (error) {
    if (error instanceof ApiResponseError && !cli.options.json) {
      const { body } = error
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      showAnswer(cli, withoutSecrets(text === '' ? '' : `${text}\n`, cli.secrets))
    }
    throw error
  }
}

function nextCursor(text: string): string | undefined {
  try {
    const next: unknown = JSON.parse(text)?.next_cursor
    return typeof next === 'string' && next !== '' ? next : undefined
  } catch {
    return undefined
  }
}
