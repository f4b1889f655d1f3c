/** All that goes on by itself about webhooks. */
import type { CallBus } from '@svc/bus/call'
import type { Bus } from '@svc/bus/connection'
import { startWorkLoop } from '@svc/runtime/work-loop'
import { type DeliverOptions, startDelivering } from './deliver-webhooks.ts'
import { purgeDeliveries } from './purge-deliveries.ts'
import { requestMail } from './request-mail.ts'

export interface WebhooksOptions extends DeliverOptions {
  readonly bus: Bus
  readonly callBus: CallBus
  readonly purgeEverySeconds: number
}

/** An event that the stream tells of is kept a little later: most of them after so long, and those that come last after so long. */
const keptAfterMs = 50
const lastKeptAfterMs = 250
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
  let soon: NodeJS.Timeout | undefined
  let last: NodeJS.Timeout | undefined
  const heard = bus.nc.subscribe('events.>', {
    callback: error => {
      if (error) return
      soon ??= setTimeout(() => {
        soon = undefined
        delivering.wake()
      }, keptAfterMs)
      clearTimeout(last)
      last = setTimeout(delivering.wake, lastKeptAfterMs)
    },
  })
  return {
    wake: delivering.wake,
    async stop() {
      heard.unsubscribe()
      clearTimeout(soon)
      clearTimeout(last)
      await Promise.all([delivering.stop(), mail.stop(), purge.stop()])
    },
  }
}
