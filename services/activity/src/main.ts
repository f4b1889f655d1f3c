import { createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { openEventStream } from '@svc/bus/events/events'
import { serve } from '@svc/bus/serve'
import { activity } from '@svc/contract/activity/activity'
import { createSender } from '@svc/outbound/sender'
import { readConfig } from '@svc/runtime/config'
import { openDatabase } from '@svc/runtime/database'
import { withEitherPassword } from '@svc/runtime/either-password'
import { createLog } from '@svc/runtime/log'
import { migrate } from '@svc/runtime/migrate/migrate'
import { createEventReader } from '@svc/runtime/outbox/read-events'
import { startRelay } from '@svc/runtime/outbox/relay-events'
import { failToStart, run } from '@svc/runtime/process'
import { ensureQuotas } from '@svc/runtime/quotas'
import { createSeal } from '@svc/runtime/seal'
import { startWorkLoop } from '@svc/runtime/work-loop'
import { processMetrics } from '@svc/telemetry/metrics'
import { activityConfig } from './config.ts'
import { startWebhooks } from './deliveries/webhooks.ts'
import { handlers } from './handlers.ts'
import { startAskingForMail } from './mail/ask-for-mail.ts'
import { purgeEventCounts } from './keeping/purge-event-counts.ts'
import { maintainPartitions } from './keeping/partitions.ts'
import { startReaders } from './keeping/read-outboxes.ts'

const maintainEveryMs = 3_600_000

async function start() {
  const config = readConfig(activityConfig)
  const log = createLog('activity', config.LOG_LEVEL)
  const metrics = processMetrics('activity', new URL('../package.json', import.meta.url))
  await run({ config, log, metrics }, async () => {
    const migrations = new URL('../migrations', import.meta.url)
    await withEitherPassword(config, url => migrate(url, 'activity', migrations))
    const database = openDatabase(config, 'activity', metrics)
    await ensureQuotas(database.sql, 'activity')
    const bus = await connectBus(config, log, metrics)
    const maintenance = startWorkLoop({
      name: 'maintain_partitions',
      work: () => maintainPartitions(() => database.sql, Date.now(), config.ACTIVITY_RETENTION_DAYS),
      everyMs: maintainEveryMs,
      log,
      metrics,
    })
    maintenance.wake()
    const purge = startWorkLoop({
      name: 'purge_event_counts',
      work: () => purgeEventCounts(database.sql, Date.now()),
      everyMs: config.PURGE_EVERY_SECONDS * 1000,
      log,
      metrics,
    })
    const callBus = createCall(bus)
    const sql = () => database.sql
    const readOwn = createEventReader(database)
    const readers = startReaders({ bus, call: callBus, readOwn, sql, log, metrics })
    const { publish } = openEventStream(bus, config, log)
    const relay = startRelay({ metrics, sql, publish, log })
    const targets = {
      allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK === 'true',
      ports: config.WEBHOOKS_PORTS,
    }
    const seal = createSeal(config.SEALING_KEYS)
    const sender = createSender({ ...targets, proxy: config.WEBHOOKS_PROXY })
    const webhooks = startWebhooks({
      bus,
      callBus,
      sql,
      now: Date.now,
      seal,
      sender,
      purgeEverySeconds: config.PURGE_EVERY_SECONDS,
      eventWritten: relay.wake,
      log,
      metrics,
    })
    const mail = startAskingForMail({ sql, call: callBus, now: Date.now, log, metrics })
    const deps = {
      now: Date.now,
      seal,
      targets,
      eventWritten: relay.wake,
      deliveryAdded: webhooks.wake,
      callBus,
    }
    const served = await serve(bus, activity, {
      handlers,
      deps: call => ({ ...deps, call, sql: database.within(call.deadline) }),
      log,
    })
    return {
      ready: { bus: () => bus.connected },
      drain: [
        readers.stop,
        maintenance.stop,
        purge.stop,
        webhooks.stop,
        mail.stop,
        relay.stop,
        served.drain,
        async () => sender.close(),
        database.close,
      ],
    }
  })
}

start().catch(failToStart)
