import { offers } from '@svc/contract/offers/offers'
import { createSeal } from '@svc/runtime/seal'
import { startService } from '@svc/runtime/start-service'
import { manualCheckout } from './checkout/checkout.ts'
import { startSessionFinisher } from './checkout/stripe/finish-sessions.ts'
import { createStripeCheckout } from './checkout/stripe/stripe-checkout.ts'
import { finishDeletions } from './clusters/finish-deletions.ts'
import { readOffersConfig } from './config.ts'
import { createDeps } from './deps.ts'
import { handlers } from './handlers.ts'
import { createInputSchemas } from './input-schema/input-schemas.ts'
import { sweepOrders } from './orders/sweep-orders.ts'
import { oldestUnread } from './subscriptions/oldest-unread.ts'
import { startDisputeFollower } from './subscriptions/stripe/follow-disputes.ts'
import { startSubscriptionFollower } from './subscriptions/stripe/follow-subscriptions.ts'

const everyMs = 4000

startService({
  contract: offers,
  folder: new URL('..', import.meta.url),
  config: readOffersConfig,
  handlers,
  start({ config, log, metrics, database, sql, callBus, eventWritten }) {
    const now = Date.now
    const schemas = createInputSchemas({
      onTooExpensive: event => log.warn(event, 'an input schema was too expensive to evaluate'),
    })
    const stripe = config.stripe && createStripeCheckout(config.stripe, log, metrics)
    const checkout = config.CHECKOUT === 'stripe' ? stripe : manualCheckout
    const seal = createSeal(config.SEALING_KEYS)
    const publicUrl = config.PUBLIC_URL
    if (stripe) {
      database.metrics.read('svc_subscription_unread_seconds', {}, () => oldestUnread(database.sql, now()))
    }
    return {
      deps: createDeps({ database, now, schemas, seal, callBus, eventWritten, checkout, stripe, publicUrl }),
      beforeCalls: [
        { name: 'end_expired_orders', work: () => sweepOrders(sql, now()), everyMs },
        { name: 'finish_cluster_deletions', work: () => finishDeletions(sql, callBus), everyMs },
      ],
      afterCalls: [
        stripe && startSessionFinisher({ sql, now, stripe, eventWritten, metrics }),
        stripe && startSubscriptionFollower({ sql, now, stripe, eventWritten, metrics }),
        stripe && startDisputeFollower({ sql, now, stripe, eventWritten, metrics }),
        { stop: schemas.close },
      ],
    }
  },
})
