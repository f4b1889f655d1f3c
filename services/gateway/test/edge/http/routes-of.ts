/** The gateway in this process, without a service behind it, and the routes that it has. */
import { refusal } from '@svc/contract/core/errors'
import { createLog } from '@svc/runtime/log'
import { createMetrics } from '@svc/telemetry/metrics'
import { createServer } from '../../../src/server.ts'

export async function serverAlone(metrics = createMetrics()) {
  const unavailable = () => Promise.reject(refusal('unavailable'))
  const app = createServer({
    call: unavailable,
    resolve: unavailable,
    connected: () => true,
    publicUrl: 'http://localhost',
    trustedProxies: [],
    signingKeys: () => [],
    maxInFlight: 10,
    metrics,
    log: createLog('test', 'silent'),
  })
  await app.ready()
  return app
}

/** Reads what `printRoutes` draws: each line continues the line above it that is indented less. */
export function routesOf(app: { printRoutes(options: object): string }) {
  const above: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap(line => {
      const [, indent = '', part = '', methods] = /^([ │]*[└├]── )(\S+)(?: \((.+)\))?/.exec(line) ?? []
      if (part === '') return []
      const depth = indent.length / 4
      above.splice(depth - 1, above.length, part)
      return methods ? [{ path: above.join(''), methods: methods.split(', ') }] : []
    })
}
