/** The ways a command can fail: the exit status and the lines on standard error. */
import {
  ApiResponseError,
  ConnectionError,
  DeadlineExceededError,
  InvalidResponseError,
  ProxyError,
} from '@svc/client'
import { codes, type Tag, tags } from '@svc/contract/core/error-codes'
import type { ErrorEntry } from '@svc/contract/core/errors'
import { jsonToShow } from '@svc/contract/core/invisible'
import { OauthRequestError } from './sign-in/oauth-request-error.ts'
import { printable } from './terminal/printable.ts'
import type { CommandLine } from './surroundings.ts'

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notSignedIn: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  malformed: 7,
  unprocessable: 8,
  interrupted: 130,
  brokenPipe: 141,
  terminated: 143,
} as const

export class Failure extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command line, the environment or a file named in it is invalid. */
export class UsageError extends Failure {
  constructor(message: string) {
    super(exitCodes.usage, message)
  }
}

/** By Ctrl-C or a signal. A request in progress may have been executed. */
export class Interrupted extends Failure {
  constructor(exitCode: number = exitCodes.interrupted) {
    super(exitCode, 'interrupted')
  }
}

/** Reports to people on standard error, and with `--json` as JSON on standard output. */
export function reportFailure(cli: CommandLine, error: unknown): number {
  if (cli.options.json) cli.stdout.write(withoutSecrets(jsonOf(cli, error), cli.secrets))
  const lines = linesOf(cli, error)
  const text = lines.map((line, at) => `${at === 0 ? 'svc: ' : '  '}${printable(line)}\n`).join('')
  cli.stderr.write(withoutSecrets(text, cli.secrets))
  return exitCodeOf(error)
}

/** The API's answer, otherwise its envelope with an exit status instead of a code. */
function jsonOf(cli: CommandLine, error: unknown): string {
  if (error instanceof ApiResponseError && isRecord(error.body)) return asJson(error.body)
  return localFailure(exitCodeOf(error), linesOf(cli, error))
}

export function localFailure(exitCode: number, [message = '', ...more]: readonly string[]): string {
  const entry = {
    code: exitCode,
    message,
    ...(more.length > 0 && { metadata: { details: more.join('\n') } }),
  }
  return asJson({ _tag: nameOf(exitCode), success: false, errors: [entry], result: {} })
}

const asJson = (body: object) => `${jsonToShow(body, 2)}\n`
const isRecord = (body: unknown): body is object => typeof body === 'object' && body !== null

function nameOf(exitCode: number): string {
  const [name = 'failed'] = Object.entries(exitCodes).find(([, one]) => one === exitCode) ?? []
  return name.charAt(0).toUpperCase() + name.slice(1)
}

function linesOf(cli: CommandLine, error: unknown): string[] {
  if (error instanceof ApiResponseError)
    return [...sentences(error), ...requestId(error), ...hints(cli, error)]
  if (error instanceof OauthRequestError) return [error.message, ...requestId(error)]
  if (error instanceof InvalidResponseError) return [error.message, ...requestId(error)]
  if (error instanceof ConnectionError) {
    if (error.cause instanceof ProxyError)
      return [error.message, 'NO_PROXY names the hosts that are reached without a proxy.']
    return [error.message, `Check that ${cli.baseUrl} is the right address and that you are online.`]
  }
  if (error instanceof DeadlineExceededError)
    return [error.message, 'It is unknown whether the request was executed.']
  if (error instanceof Failure) return error.message.split('\n')
  return [`This is a bug in svc: ${error instanceof Error ? error.message : String(error)}`]
}

function sentences({ errors, message, tag, status }: ApiResponseError): string[] {
  if (errors.length > 0) return errors.flatMap(entryLines)
  if (tag === undefined || !Object.hasOwn(tags, tag)) return [message]
  const { means } = tags[tag as Tag]
  return [`${means.charAt(0).toUpperCase()}${means.slice(1)}. (${status} ${tag})`]
}

function entryLines({ code, message, path = [], metadata = {} }: ErrorEntry): string[] {
  // Omitted: a terminal shows the sentence and its code, and --json has it.
  const { doc_url: _, ...details } = metadata
  return [
    `${message} (${code})`,
    ...(path.length > 0 ? [`field: ${path.join('.')}`] : []),
    ...Object.entries(details).map(([name, value]) => `${name}: ${value}`),
  ]
}

const requestId = ({ requestId }: { requestId: string | null }) =>
  requestId === null ? [] : [`request id: ${requestId}`]

function hints(cli: CommandLine, { status, errors }: ApiResponseError): string[] {
  if (status === 401 && errors[0]?.code !== codes.step_up_required[0]) {
    return [cli.env.SVC_TOKEN ? 'The credential comes from SVC_TOKEN.' : 'Sign in again: svc login']
  }
  const [first] = errors
  if (first?.code === codes.workspace_required[0]) {
    const chosen = cli.env.SVC_TOKEN ? '--workspace or SVC_WORKSPACE' : 'svc workspace use or --workspace'
    return [`Choose one with ${chosen}; svc workspace list shows them.`]
  }
  return []
}

function exitCodeOf(error: unknown): number {
  if (error instanceof Failure) return error.exitCode
  if (error instanceof ConnectionError || error instanceof DeadlineExceededError) return exitCodes.unavailable
  if (error instanceof OauthRequestError || error instanceof ApiResponseError) return ofStatus(error)
  return exitCodes.failed
}

function ofStatus(error: OauthRequestError | ApiResponseError): number {
  if (error instanceof OauthRequestError && error.code === 'access_denied') return exitCodes.notSignedIn
  const { status } = error
  if (error instanceof ApiResponseError) {
    if (status === 400) return exitCodes.malformed
    if (status === 422) return exitCodes.unprocessable
  }
  if (status === 401 || status === 403) return exitCodes.notSignedIn
  if (status === 404) return exitCodes.notFound
  if (status === 409) return exitCodes.conflict
  return [408, 429, 502, 503, 504].includes(status) ? exitCodes.unavailable : exitCodes.failed
}

export const withoutSecrets = (text: string, secrets: Iterable<string>) =>
  [...secrets].reduce((rest, secret) => rest.replaceAll(secret, '[credential]'), text)
