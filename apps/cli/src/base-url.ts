import { UsageError } from './failure.ts'

export const defaultBaseUrl = 'http://localhost:8080/v1'

const version = '/v1'

/**
 * The versioned root of the API in one format, whether written with `/v1` and a trailing slash or without.
 *
 * @param source where it came from, for the message
 */
export function parseBaseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(`${source} is not an http or https address, such as ${defaultBaseUrl}.`)
  }
  if (url.username || url.password || url.search || url.hash) {
    throw new UsageError(`${source} must have no user, password, query or fragment.`)
  }
  const path = url.pathname.replace(/\/+$/, '')
  return `${url.origin}${path.endsWith(version) ? path : path + version}`
}

export const rootOf = (baseUrl: string): string => baseUrl.slice(0, -version.length)

export function isUnprotected(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
