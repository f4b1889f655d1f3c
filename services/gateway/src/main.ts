import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { processConfig, publicConfig, readConfig } from '@svc/runtime/config'
import { createLog } from '@svc/runtime/log'
import { failToStart, run } from '@svc/runtime/process'
import { z } from 'zod'
import { createResolver } from './credentials.ts'
import { createServer } from './server.ts'
import { trustedProxies } from './trusted-proxies.ts'

const gatewayConfig = {
  PORT: z.coerce.number().int().min(0).max(65535).default(8080),
  HOST: z.string().default('0.0.0.0'),
  MAX_IN_FLIGHT: z.coerce.number().int().min(1).default(512),
  TRUST_PROXY: trustedProxies,
  LAME_DUCK_MS: z.coerce.number().int().min(0).default(500),
}

async function start() {
  const config = readConfig({ ...processConfig, ...publicConfig, ...gatewayConfig })
  const log = createLog('gateway', config.LOG_LEVEL)
  await run(config, log, async () => {
    const bus = await connectBus(config, log)
    const call = createCall(bus)
    let draining = false
    const connected = () => bus.connected
    const app = createServer({
      call,
      publicUrl: config.PUBLIC_URL,
      trustedProxies: config.TRUST_PROXY,
      // As many as auth-tokens and the three services together may have in progress.
      resolve: createResolver(call, 4 * config.MAX_IN_FLIGHT),
      connected,
      draining: () => draining,
      maxInFlight: config.MAX_IN_FLIGHT,
      log,
    })
    await app.listen({ port: config.PORT, host: config.HOST })
    // Load balancers see /readyz first, and open connections are told to close, before the port is closed.
    const lameDuck = async () => {
      draining = true
      await new Promise(resolve => setTimeout(resolve, config.LAME_DUCK_MS))
    }
    return { ready: { bus: connected }, drain: [lameDuck, () => app.close(), () => bus.close()] }
  })
}

start().catch(failToStart)
