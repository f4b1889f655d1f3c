import { openEventStream } from '@svc/bus/events/events'
import { activity } from '@svc/contract/activity/activity'
import { createSender } from '@svc/outbound/sender'
import { readConfig } from '@svc/runtime/config'
import { createEventReader } from '@svc/runtime/outbox/read-events'
import { createSeal } from '@svc/runtime/seal'
import { startService } from '@svc/runtime/start-service'
import { activityConfig } from './config.ts'
import { startWebhooks } from './deliveries/webhooks.ts'
import { handlers } from './handlers.ts'
import { maintainPartitions } from './keeping/partitions.ts'
import { purgeEventCounts } from './keeping/purge-event-counts.ts'
import { startReaders } from './keeping/read-outboxes.ts'
import { startAskingForMail } from './mail/ask-for-mail.ts'
import { startPublishing } from './stream/publish-events.ts'

const maintainEveryMs = 3_600_000

startService({
  contract: activity,
  folder: new URL('..', import.meta.url),
  config: () => readConfig(activityConfig),
  handlers,
  start({ config, log, metrics, database, sql, bus, callBus, eventWritten, serviceDeps }) {
    const now = Date.now
    const { PURGE_EVERY_SECONDS: purgeEverySeconds, ACTIVITY_RETENTION_DAYS: retentionDays } = config
    const targets = { allowLoopback: config.WEBHOOKS_ALLOW_LOOPBACK === 'true', ports: config.WEBHOOKS_PORTS }
    const seal = createSeal(config.SEALING_KEYS)
    const sender = createSender({ ...targets, proxy: config.WEBHOOKS_PROXY })
    const sending = { seal, sender, purgeEverySeconds, eventWritten }
    const stream = openEventStream(bus, config, log)
    const webhooks = startWebhooks({ bus, callBus, sql, now, ...sending, log, metrics })
    const own = { seal, targets, deliveryAdded: webhooks.wake }
    return {
      deps: call => ({ ...serviceDeps(call), ...own }),
      beforeCalls: [
        startReaders({ bus, call: callBus, readOwn: createEventReader(database), sql, log, metrics }),
        {
          name: 'maintain_partitions',
          work: () => maintainPartitions(sql, now(), retentionDays),
          everyMs: maintainEveryMs,
          atOnce: true,
        },
        {
          name: 'purge_event_counts',
          work: () => purgeEventCounts(sql(), now()),
          everyMs: purgeEverySeconds * 1000,
        },
        startPublishing({ bus, stream, sql, log, metrics }),
        webhooks,
        startAskingForMail({ sql, call: callBus, now, log, metrics }),
      ],
      afterCalls: [{ stop: async () => sender.close() }],
    }
  },
})
