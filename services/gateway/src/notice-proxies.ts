/** Notices a proxy that TRUST_PROXY does not name: to the gateway all its clients are one address, with one address's limits. */
import type { Log } from '@svc/runtime/log'
import type { FastifyInstance } from 'fastify'
import { proxyCheck } from './trusted-proxies.ts'

/** Anybody may send the header, so no more than this many addresses are told of. */
const maxTold = 5

/** @returns what there is to warn of, for `/readyz` */
export function noticeProxies(
  app: FastifyInstance,
  log: Log,
  trustedProxies: readonly string[],
): () => readonly string[] {
  const isProxy = proxyCheck(trustedProxies)
  const told = new Map<string, string>()
  app.addHook('onRequest', async ({ headers, socket: { remoteAddress } }) => {
    if (headers['x-forwarded-for'] === undefined || remoteAddress === undefined) return
    if (told.size >= maxTold || told.has(remoteAddress) || isProxy(remoteAddress)) return
    const warning = `${remoteAddress} sends X-Forwarded-For, and TRUST_PROXY does not name it. If it is a proxy of yours, name it: until then all its clients count as one address.`
    told.set(remoteAddress, warning)
    log.warn({ address: remoteAddress }, warning)
  })
  return () => [...told.values()]
}
