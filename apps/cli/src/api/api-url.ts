import { UsageError } from '../failure.ts'

/**
 * Refuses a path that a URL parser would read as another host, or that would leave the base URL's folder: the
 * credential is sent with it.
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
  // %2e is a dot as well, and \ a slash (WHATWG URL); the part after # would not be sent.
  if (/\.\.|%2e|[\\#]/i.test(path)) throw new UsageError('The path must have no .. or %2e, \\ or #.')
}

/**
 * The URL of an API path, written with or without `/v1`.
 *
 * @throws UsageError if it is not below the base URL
 */
export function apiUrl(baseUrl: string, path: string): URL {
  checkPath(path)
  const url = new URL(`${baseUrl}/${path.replace(/^\/?(v1(?=[/?]|$))?\/?/, '')}`)
  if (!url.href.startsWith(`${baseUrl}/`)) throw new UsageError('The path leads out of the base URL.')
  return url
}
