/**
 * Warns of a proxy that TRUST_PROXY does not list: all its clients count as one address, with one address's limits.
 */
import type { Log } from '@svc/runtime/log'
import type { FastifyInstance } from 'fastify'

/** Anyone can send the header, so no more than this many addresses are reported. */
const maxWarnings = 5

export function noticeProxies(
  app: FastifyInstance,
  log: Log,
  isProxy: (address: string) => boolean,
): () => readonly string[] {
  const warnings = new Map<string, string>()
  app.addHook('onRequest', async ({ headers, socket: { remoteAddress } }) => {
    if (headers['x-forwarded-for'] === undefined || remoteAddress === undefined) return
    if (warnings.size >= maxWarnings || warnings.has(remoteAddress) || isProxy(remoteAddress)) return
    const warning = `${remoteAddress} sends X-Forwarded-For, but TRUST_PROXY does not list it. If it is one of your proxies, add it: until then all its clients count as one address.`
    warnings.set(remoteAddress, warning)
    log.warn({ address: remoteAddress }, warning)
  })
  return () => [...warnings.values()]
}
