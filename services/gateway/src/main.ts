import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { readConfig } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { failToStart, run } from '@svc/runtime/process'
import { processMetrics } from '@svc/telemetry/metrics'
import { gatewayConfig } from './config.ts'
import { createResolvers } from './edge/admit/credentials.ts'
import { createDrain } from './edge/http/drain.ts'
import { forwarded } from './edge/forward/forward.ts'
import { createIssuers } from './edge/jwt/issuers.ts'
import { createRunVerifier } from './edge/jwt/verify-run.ts'
import { createVerifyToken } from './edge/jwt/verify-token.ts'
import { holdLeases } from './edge/leases/hold-leases.ts'
import { createLeasedCache } from './edge/leases/leased-cache.ts'
import { createUsedCredentials } from './edge/leases/used-credentials.ts'
import { openRateLimits } from './edge/limits/open-rate-limits.ts'
import { createServer } from './server.ts'

async function start() {
  const config = readConfig(gatewayConfig)
  const log = createLog('gateway', config.LOG_LEVEL)
  const metrics = processMetrics('gateway', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const bus = await connectBus(config, log, metrics)
    const call = createCall(bus, forwarded)
    const drain = createDrain()
    const connected = () => bus.connected
    const publicUrl = config.PUBLIC_URL
    const now = Date.now
    const issuers = createIssuers({ call, publicUrl, trusted: config.TRUSTED_ISSUERS, now, log })
    // The sum that auth-tokens and the three services may have in progress.
    const maxPending = 4 * config.MAX_IN_FLIGHT
    const verifyToken = createVerifyToken({ issuers: issuers.byName, now, maxVerifying: maxPending })
    const runs = createRunVerifier({
      workloads: config.TRUSTED_WORKLOADS,
      publicUrl,
      now,
      maxVerifying: config.MAX_IN_FLIGHT,
      log,
    })
    const cache = createLeasedCache({ monotonic: () => performance.now(), wall: now })
    const uses = createUsedCredentials()
    const endLeases = holdLeases({ bus, call, cache, uses, log, metrics })
    const { rateLimits, stop: stopSharing } = openRateLimits({ config, bus, log, metrics })
    const app = createServer({
      call,
      publicUrl,
      ...createResolvers({ call, verifyToken, maxPending, metrics, cache, uses }),
      signingKeys: () => issuers.ownKeys.published,
      runs,
      trustedProxies: config.TRUST_PROXY,
      supportContact: config.SUPPORT_CONTACT,
      keepAliveSeconds: config.KEEP_ALIVE_SECONDS,
      maxConnectionsPerAddress: config.MAX_CONNECTIONS_PER_ADDRESS,
      connected,
      drain,
      rateLimits,
      uses,
      maxInFlight: config.MAX_IN_FLIGHT,
      maxForwarded: config.MAX_FORWARDED,
      metrics,
      log,
    })
    await app.listen({ port: config.PORT, host: config.HOST })
    // Load balancers see /readyz first, and open connections are asked to close, before the port is closed.
    const leave = () => drain.leave(config.LAME_DUCK_MS)
    const stopReadingKeys = async () => {
      issuers.stop()
      runs.stop()
    }
    const stopRateLimits = async () => stopSharing()
    return {
      ready: { bus: connected },
      warnings: app.warnings,
      drain: [leave, () => app.close(), stopReadingKeys, stopRateLimits, endLeases, () => bus.close()],
    }
  })
}

start().catch(failToStart)
