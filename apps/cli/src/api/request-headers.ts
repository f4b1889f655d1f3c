import { operations } from '@svc/contract/services'
import { rootOf } from '../base-url.ts'
import type { Connection } from '../connect.ts'
import { UsageError } from '../failure.ts'

/**
 * Headers of the connection. The credential is never on the command line, where others on the machine could read
 * it.
 */
const own = [
  ...['authorization', 'proxy-authorization', 'cookie', 'host', 'connection', 'content-length', 'expect'],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]

export type Header = readonly [name: string, value: string]

/**
 * `--header 'Name: value'`.
 *
 * @throws UsageError, which does not quote the value: it may be a secret
 */
export function parseHeader(text: string): Header {
  const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*)$/.exec(text) ?? []
  if (name === '') throw new UsageError("Give a header as 'Name: value', in one line of ASCII.")
  if (own.includes(name.toLowerCase())) {
    throw new UsageError(
      `svc sets the header ${name} itself; the credential is that of SVC_TOKEN or svc login.`,
    )
  }
  return [name, value.trimEnd()]
}

interface About {
  readonly method: string
  readonly url: URL
  readonly hasBody: boolean
  readonly given: readonly Header[]
}

export function requestHeaders(connection: Connection, { method, url, hasBody, given }: About): Headers {
  const { token, workspace, baseUrl } = connection
  const headers = new Headers({ accept: 'application/json', authorization: `Bearer ${token}` })
  if (hasBody) headers.set('content-type', 'application/json')
  const path = url.pathname.slice(new URL(rootOf(baseUrl)).pathname.replace(/\/$/, '').length)
  if (workspace && takesWorkspace(method, path)) headers.set('svc-context', workspace)
  for (const [name, value] of given) headers.set(name, value)
  return headers
}

/**
 * Operations for a person, and those with a workspace in the path, do not get the chosen workspace: it may be
 * another one, or no longer theirs. Unknown paths may be newer than `svc`, and get it.
 */
function takesWorkspace(method: string, path: string): boolean {
  const found = operations.find(
    ({ operation: { http } }) =>
      http?.method === method && new RegExp(`^/v1${http.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return found?.operation.access.workspace ?? true
}
