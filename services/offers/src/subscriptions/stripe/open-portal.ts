import type Stripe from 'stripe'
import { type AskStripe, idOf } from '../../checkout/stripe/ask-stripe.ts'

/** No plan and no quantity is changed there: the terms have both. */
const features: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  payment_method_update: { enabled: true },
  invoice_history: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update: { enabled: false },
  customer_update: { enabled: false },
}

/** Another one whenever the features are others. */
const configurationKey = 'billing_portal:1'
const mark = { svc: configurationKey }

export function createPortal(ask: AskStripe) {
  let configuration: Promise<string> | undefined

  return async (subscription: string, return_url: string, deadline: number): Promise<string> => {
    configuration ??= findConfiguration(deadline)
    const kept = await configuration.catch(error => {
      configuration = undefined
      throw error
    })
    const { customer } = await ask(deadline, (stripe, options) =>
      stripe.subscriptions.retrieve(subscription, {}, options),
    )
    const session = await ask(deadline, (stripe, options) =>
      stripe.billingPortal.sessions.create(
        { customer: idOf(customer), configuration: kept, return_url },
        options,
      ),
    )
    return session.url
  }

  async function findConfiguration(deadline: number): Promise<string> {
    const { data } = await ask(deadline, (stripe, options) =>
      stripe.billingPortal.configurations.list({ active: true, limit: 100 }, options),
    )
    const found = data.find(({ metadata }) => metadata?.svc === configurationKey)
    if (found) return found.id
    const created = await ask(deadline, (stripe, options) =>
      stripe.billingPortal.configurations.create(
        { features, metadata: mark },
        { ...options, idempotencyKey: configurationKey },
      ),
    )
    return created.id
  }
}
