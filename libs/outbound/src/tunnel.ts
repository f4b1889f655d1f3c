import http from 'node:http'
import https from 'node:https'
import { isIP, isIPv6, type Socket } from 'node:net'
import { hostOf } from './check-target.ts'
import { codeOf } from './failure.ts'
import { OutboundError } from './outbound-error.ts'

/** The operator's proxy is not there, or does not know us: nothing that is wrong with the URL. Names no password. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError'
}

/** The options of a socket that a tunnel needs. */
export interface TunnelEnd {
  readonly host: string
  readonly port: number
  /** Authorities of a proxy by https, in place of those that Node.js trusts. */
  readonly ca?: string | string[]
}

/** Less than a delivery may take: a proxy that cannot be reached is told from a host that cannot. */
const defaultPatienceMs = 9000

/**
 * A connection through a proxy (RFC 9110, section 9.3.6), which resolves the name.
 *
 * @throws OutboundError `connect` where the proxy makes none to this host
 * @throws ProxyError
 */
export function openTunnel(
  proxy: URL,
  { host, port, ca }: TunnelEnd,
  patienceMs = defaultPatienceMs,
): Promise<Socket> {
  const end = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const secure = proxy.protocol === 'https:'
  const request = (secure ? https : http).request({
    method: 'CONNECT',
    hostname: hostOf(proxy),
    port: proxy.port,
    path: end,
    headers: { Host: end, ...credentialsOf(proxy) },
    agent: false,
    ca,
    // Else that of `Host`.
    servername: isIP(hostOf(proxy)) ? '' : hostOf(proxy),
    // Whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
  })
  const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => request.destroy(late), patienceMs)
  let reached = false
  request.on('socket', socket =>
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      reached = true
    }),
  )
  request.end()
  return new Promise<Socket>((resolve, reject) => {
    // Why not, as with 403 or 502, would tell which names there are in its network.
    const refuse = () =>
      reject(new OutboundError('connect', 'The proxy made no connection to the host of the URL.'))
    request.on('connect', ({ statusCode }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      if (statusCode !== 407) return refuse()
      reject(new ProxyError(`The proxy ${proxy.origin} answers 407: it wants other credentials.`))
    })
    request.on('error', cause => {
      if (reached) return refuse()
      reject(new ProxyError(`The proxy ${proxy.origin} is not reached: ${codeOf(cause)}.`, { cause }))
    })
  }).finally(() => clearTimeout(timer))
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (!username) return {}
  const credentials = decodeURIComponent(`${username}:${password}`)
  return { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
}
