import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events/events'
import { serve } from '@svc/bus/serve'
import { offers } from '@svc/contract/offers/offers'
import { openDatabase } from '@svc/runtime/database'
import { createLog } from '@svc/runtime/log'
import { withEitherPassword } from '@svc/runtime/either-password'
import { migrate } from '@svc/runtime/migrate/migrate'
import { failToStart, run } from '@svc/runtime/process'
import { ensureQuotas } from '@svc/runtime/quotas'
import { startRelay } from '@svc/runtime/outbox/relay-events'
import { createSeal } from '@svc/runtime/seal'
import { startWorkLoop } from '@svc/runtime/work-loop'
import { processMetrics } from '@svc/telemetry/metrics'
import { manualCheckout } from './checkout/checkout.ts'
import { readOffersConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { finishDeletions } from './clusters/finish-deletions.ts'
import { startSessionFinisher } from './checkout/stripe/finish-sessions.ts'
import { handlers } from './handlers.ts'
import { createInputSchemas } from './input-schema/input-schemas.ts'
import { createStripeCheckout } from './checkout/stripe/stripe-checkout.ts'
import { sweepOrders } from './orders/sweep-orders.ts'

const sweepEveryMs = 4000

async function start() {
  const config = readOffersConfig()
  const log = createLog('offers', config.LOG_LEVEL)
  const metrics = processMetrics('offers', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const migrations = new URL('../migrations', import.meta.url)
    await withEitherPassword(config, url => migrate(url, 'offers', migrations))
    const database = openDatabase(config, 'offers', metrics)
    await ensureQuotas(database.sql, 'offers')
    const bus = await connectBus(config, log, metrics)
    const schemas = createInputSchemas({
      onTooExpensive: event => log.warn(event, 'an input schema was too expensive to evaluate'),
    })
    const { publish } = openEventStream(bus, config, log)
    const relay = startRelay({ metrics, sql: () => database.sql, publish, log })
    const sweep = startWorkLoop({
      name: 'end_expired_orders',
      work: () => sweepOrders(() => database.sql, Date.now()),
      everyMs: sweepEveryMs,
      log,
      metrics,
    })
    const callBus = createCall(bus)
    const deletions = startWorkLoop({
      name: 'finish_cluster_deletions',
      work: () => finishDeletions(() => database.sql, callBus),
      everyMs: sweepEveryMs,
      log,
      metrics,
    })
    const stripe = config.stripe && createStripeCheckout(config.stripe, log, metrics)
    const finisher =
      stripe &&
      startSessionFinisher({
        sql: () => database.sql,
        now: Date.now,
        stripe,
        eventWritten: relay.wake,
        metrics,
      })
    const deps = createDeps({
      database,
      now: Date.now,
      schemas,
      seal: createSeal(config.SEALING_KEYS),
      callBus,
      eventWritten: relay.wake,
      checkout: config.CHECKOUT === 'stripe' ? stripe : manualCheckout,
      stripe,
    })
    const served = await serve(bus, offers, { handlers, deps, log })
    const stopFinishing = async () => finisher?.stop()
    return {
      ready: { bus: () => bus.connected },
      drain: [
        relay.stop,
        sweep.stop,
        deletions.stop,
        served.drain,
        stopFinishing,
        schemas.close,
        database.close,
      ],
    }
  })
}

start().catch(failToStart)
