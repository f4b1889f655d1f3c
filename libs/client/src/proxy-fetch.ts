/** For Node.js alone: bundles for browsers have `no-proxy-fetch.ts` in its place. */
import { EnvHttpProxyAgent, fetch, Pool, type RequestInit } from 'undici'
import { connectionReason } from './connection-reason.ts'
import { ProxyError } from './errors.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Proxy {
  /** Which names it. */
  readonly variable: string
  readonly url: URL
}

/**
 * `fetch` through the proxies that an environment names. Agent and `fetch` are both undici's: that of Node.js is of another
 * release, and Node.js 20 has no such agent.
 *
 * @throws ProxyError where a variable is not the address of a proxy; from the function where the proxy is the reason
 */
export function proxyFetch(env: Environment): typeof globalThis.fetch {
  const http = proxyOf(env, 'HTTP_PROXY')
  const https = proxyOf(env, 'HTTPS_PROXY') ?? http
  /** The origin that a connection was not made to, by its error. */
  const failedAt = new WeakMap<Error, string>()
  const factory = (origin: string | URL, options: object) =>
    new Pool(origin, options).on('connectionError', ({ origin: at }, _, error) => {
      // A connection to the API fails after that to its proxy, with the same error.
      if (!failedAt.has(error)) failedAt.set(error, at)
    })
  const dispatcher = new EnvHttpProxyAgent({
    // Empty rather than left out: undici would read the variables by itself.
    httpProxy: http?.url.href ?? '',
    httpsProxy: https?.url.href ?? '',
    noProxy: noProxyOf(env),
    // Many proxies allow tunnels to port 443 only.
    proxyTunnel: false,
    factory,
    clientFactory: factory,
  })
  const send = async (input: string | URL, init?: RequestInit) => {
    try {
      return await fetch(input, { ...init, dispatcher })
    } catch (error) {
      const proxy = new URL(input).protocol === 'https:' ? https : http
      throw (proxy && proxyError(error as Error, proxy, failedAt)) ?? error
    }
  }
  return send as unknown as typeof globalThis.fetch
}

/** Lower case wins, an empty variable counts as absent, and `host:3128` is an address as well. */
function proxyOf(env: Environment, name: string): Proxy | undefined {
  const variable = [name.toLowerCase(), name].find(one => env[one])
  const value = variable && env[variable]
  if (!value) return undefined
  try {
    const url = new URL(value.includes('://') ? value : `http://${value}`)
    // As undici will.
    decodeURIComponent(url.username + url.password)
    // A slash in a password that is not written as %2F begins a path.
    if (/^https?:$/.test(url.protocol) && url.pathname + url.search + url.hash === '/')
      return { variable, url }
  } catch {}
  throw new ProxyError(
    `${variable} is not the address of an HTTP proxy, as http://user:password@proxy.example.com:3128`,
    { isFinal: true },
  )
}

/** As undici reads them: an IPv6 address in brackets. What is on this machine no proxy reaches. */
function noProxyOf(env: Environment): string {
  const entries = (env.no_proxy || env.NO_PROXY || '').split(/[\s,]+/)
  if (entries.includes('*')) return '*'
  const own = ['localhost', '127.0.0.1', '[::1]']
  return [...entries.map(entry => (/^[^[]*:.*:/.test(entry) ? `[${entry}]` : entry)), ...own].join()
}

/** Undefined where it is not the proxy's fault. */
function proxyError(
  error: Error,
  { variable, url }: Proxy,
  failedAt: WeakMap<Error, string>,
): ProxyError | undefined {
  const { cause } = error as { cause?: Error }
  if (!cause) return undefined
  // Without the password.
  const name = `the proxy ${url.origin} of ${variable}`
  if (failedAt.get(cause) === url.origin) {
    return new ProxyError(`${name}: ${connectionReason(error)}`, { cause })
  }
  // The first is what a tunnel fails with, the second a request by http: undici has no code for them.
  const [, status] =
    /Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(`${cause.cause} ${cause}`) ?? []
  if (!status) return undefined
  const why = status === '407' ? `: ${whyUnauthenticated({ variable, url })}` : ''
  return new ProxyError(`${name} answered ${status}${why}`, { cause, isFinal: status < '500' })
}

const whyUnauthenticated = ({ variable, url: { username, protocol, host } }: Proxy) =>
  username
    ? `it refuses the user name or the password in ${variable}`
    : `it asks for a user name and a password, ${variable}=${protocol}//user:password@${host}`
