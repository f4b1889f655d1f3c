import type { CallBus } from '@svc/bus/call'
import type { Bus } from '@svc/bus/connection'
import { awaitNotices } from '@svc/bus/notices'
import { eventsKept } from '@svc/contract/notices'
import { startWorkLoop } from '@svc/runtime/work-loop'
import { type DeliverOptions, startDelivering } from './deliver-webhooks.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { requestMail } from './request-mail.ts'

export interface WebhooksOptions extends DeliverOptions {
  readonly bus: Bus
  readonly callBus: CallBus
  readonly purgeEverySeconds: number
}

const mailEveryMs = 5000

export function startWebhooks({ bus, callBus, purgeEverySeconds, ...options }: WebhooksOptions) {
  const { sql, now, log, metrics } = options
  const delivering = startDelivering(options)
  const mail = startWorkLoop({
    name: 'request_webhook_mail',
    work: () => requestMail(sql, callBus),
    everyMs: mailEveryMs,
    log,
    metrics,
  })
  const purge = startWorkLoop({
    name: 'purge_deliveries',
    work: () => purgeDeliveries(sql(), now() / 1000),
    everyMs: purgeEverySeconds * 1000,
    log,
    metrics,
  })
  const deafen = awaitNotices(bus, eventsKept, log, delivering.wake)
  return {
    wake: delivering.wake,
    async stop() {
      deafen()
      await Promise.all([delivering.stop(), mail.stop(), purge.stop()])
    },
  }
}
