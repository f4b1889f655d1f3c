import { UsageError } from '../failure.ts'

/**
 * Refuses what a parser of addresses would read as another host, or what would leave the folder of the base URL: the
 * credential is sent to where the path leads.
 *
 * @throws UsageError
 */
export function checkPath(path: string): void {
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || /^[/\\]{2}/.test(path)) {
    throw new UsageError('Give a path, such as /offers: requests are sent to the base URL only.')
  }
  if (!/^[\x21-\x7e]+$/.test(path)) {
    throw new UsageError('The path must be printable ASCII without spaces; encode the rest with %.')
  }
  // %2e is a dot as well, and \ a slash (WHATWG URL); what follows # would not be sent.
  if (/\.\.|%2e|[\\#]/i.test(path)) throw new UsageError('The path must have no .. or %2e, \\ or #.')
}

/**
 * The address of a path of the API, written with or without `/v1`.
 *
 * @throws UsageError where it is not below the base URL
 */
export function apiUrl(baseUrl: string, path: string): URL {
  checkPath(path)
  const url = new URL(`${baseUrl}/${path.replace(/^\/?(v1(?=[/?]|$))?\/?/, '')}`)
  if (!url.href.startsWith(`${baseUrl}/`)) throw new UsageError('The path leads out of the base URL.')
  return url
}
