import { UsageError } from './failure.ts'

/** What `npm start` serves. */
export const defaultBaseUrl = 'http://localhost:8080/v1'

const version = '/v1'

/**
 * The versioned root of the API in one form, whether it was written with `/v1` and a slash at the end or without.
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

/** Where sign-in and OAuth are. */
export const rootOf = (baseUrl: string): string => baseUrl.slice(0, -version.length)

/** Whether what is sent there can be read on the way. */
export function isUnprotected(baseUrl: string): boolean {
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !/^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
