/** A gateway in the test's own process, in front of a running product, for tests of what is configured at the start. */
import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { freePort } from '@svc/local/free-port'
import { createLog } from '@svc/runtime/log'
import { workloadsConfig } from '@svc/runtime/trusted-workloads'
import type { Product } from '@svc/testing/stack/stack'
import { createResolvers } from '../src/edge/admit/credentials.ts'
import { createIssuers } from '../src/edge/jwt/issuers.ts'
import { trustedIssuers } from '../src/edge/jwt/trusted-issuers.ts'
import { createRunVerifier } from '../src/edge/jwt/verify-run.ts'
import { createVerifyToken } from '../src/edge/jwt/verify-token.ts'
import type { RateLimits } from '../src/edge/limits/rate-limits.ts'
import { trustedProxies } from '../src/edge/http/trusted-proxies.ts'
import { createServer } from '../src/server.ts'

export interface GatewayOptions {
  readonly publicUrl?: string
  readonly maxInFlight?: number
  readonly maxForwarded?: number
  /** As in TRUSTED_ISSUERS. */
  readonly trusted?: string
  /** As in TRUST_PROXY. */
  readonly trustProxy?: string
  /** As in TRUSTED_WORKLOADS. */
  readonly workloads?: string
  readonly now?: () => number
  readonly arrivalMs?: number
  readonly rateLimits?: RateLimits
  /** Hears of each call of the bus, by its subject, before it is sent, and can hold it back. */
  readonly onCall?: (subject: string) => unknown
}

export interface GatewayHere {
  /** Without a trailing slash. */
  readonly url: string
  /** With which a route is asked, by its pattern: `/orders/:id`. */
  methodsOf(pattern: string): ('GET' | 'POST')[]
  stop(): Promise<void>
}

export async function startGatewayHere(
  { stack, dev }: Pick<Product, 'stack' | 'dev'>,
  {
    publicUrl = new URL(dev.base_url).origin,
    maxInFlight = 100,
    maxForwarded = maxInFlight,
    trusted = '[]',
    trustProxy,
    workloads = '[]',
    now = Date.now,
    onCall,
    arrivalMs,
    rateLimits,
  }: GatewayOptions = {},
): Promise<GatewayHere> {
  const log = createLog('test', 'silent')
  const bus = await connectBus(stack.bus('gateway'), log)
  const send = createCall(bus)
  const call: typeof send = async message => {
    await onCall?.(message.subject)
    return send(message)
  }
  const issuers = createIssuers({ call, publicUrl, trusted: trustedIssuers.parse(trusted), now, log })
  const maxPending = 4 * maxInFlight
  const verifyToken = createVerifyToken({ issuers: issuers.byName, now, maxVerifying: maxPending })
  const runs = createRunVerifier({
    workloads: workloadsConfig.TRUSTED_WORKLOADS.parse(workloads),
    publicUrl,
    now,
    maxVerifying: maxInFlight,
    log,
  })
  const app = createServer({
    call,
    publicUrl,
    ...(rateLimits && { rateLimits }),
    ...(arrivalMs && { arrivalMs }),
    ...createResolvers({ call, verifyToken, maxPending }),
    trustedProxies: trustedProxies.parse(trustProxy),
    runs,
    signingKeys: () => issuers.ownKeys.published,
    connected: () => bus.connected,
    maxInFlight,
    maxForwarded,
    log,
  })
  const url = await app.listen({ port: await freePort(), host: '127.0.0.1' })
  return {
    url,
    methodsOf: pattern => (['GET', 'POST'] as const).filter(method => app.hasRoute({ method, url: pattern })),
    async stop() {
      issuers.stop()
      runs.stop()
      await app.close()
      await bus.close()
    },
  }
}
