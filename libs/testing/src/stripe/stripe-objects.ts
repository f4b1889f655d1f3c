// What Stripe has: sessions, subscriptions, payments of invoices, refunds; and what it refuses.
import { randomBytes } from 'node:crypto'
import { type Form, textAt } from './stripe-form.ts'
import { createStripeSubscriptions } from './stripe-subscriptions.ts'

export interface FakeSession {
  id: string
  object: 'checkout.session'
  url: string | null
  status: 'open' | 'complete' | 'expired'
  payment_status: 'unpaid' | 'paid' | 'no_payment_required'
  amount_total: number
  currency: string
  interval: 'month' | 'year'
  client_reference_id: string | null
  customer_email: string | null
  metadata: Record<string, string>
  subscription: string | null
  invoice: string | null
  success_url: string
  cancel_url: string
  expires_at: number
  mode: string
  payment_intent: null
}

export type Answer = { status: number; body: object }

export class Refused extends Error {
  readonly answer: Answer
  constructor(status: number, error: Record<string, unknown>) {
    super(String(error.code ?? error.type))
    this.answer = { status, body: { error: { type: 'invalid_request_error', ...error } } }
  }
}

const id = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`
const missing = (what: string, name: string) =>
  new Refused(404, { code: 'resource_missing', message: `No such ${what}: '${name}'` })

export function createStripeObjects(now: () => number) {
  const sessions = new Map<string, FakeSession>()
  const subscriptions = createStripeSubscriptions(now)
  /** By invoice. */
  const payments = new Map<string, { payment_intent: string; amount: number; refunded: boolean }>()
  const configurations: { id: string; metadata: unknown; features: unknown }[] = []
  /** Payment intents by subscription, and by dispute. */
  const payers = new Map<string, string>()
  const disputes = new Map<string, string>()
  const refunds: { id: string; payment_intent: string; amount: number }[] = []

  function sessionOf(name: string): FakeSession {
    const session = sessions.get(name)
    if (!session) throw missing('checkout.session', name)
    if (session.status === 'open' && session.expires_at * 1000 <= now()) over(session)
    return session
  }

  function over(session: FakeSession) {
    session.status = 'expired'
    session.url = null
  }

  function createSession(form: Form): FakeSession {
    const known = [
      ...[
        'mode',
        'line_items',
        'payment_method_collection',
        'client_reference_id',
        'customer_email',
        'metadata',
      ],
      ...['subscription_data', 'success_url', 'cancel_url', 'expires_at'],
    ]
    for (const name of Object.keys(form)) {
      if (!known.includes(name)) throw new Refused(400, { code: 'parameter_unknown', param: name })
    }
    const price = (...path: string[]) => textAt(form, 'line_items', '0', 'price_data', ...path)
    const [currency, amount] = [price('currency'), Number(price('unit_amount'))]
    const needed = { mode: textAt(form, 'mode'), currency, name: price('product_data', 'name') }
    for (const [param, value] of Object.entries(needed)) {
      if (!value) throw new Refused(400, { code: 'parameter_missing', param })
    }
    if (!['month', 'year'].includes(price('recurring', 'interval') ?? '')) {
      throw new Refused(400, { code: 'parameter_invalid', param: 'recurring' })
    }
    if (!Number.isInteger(amount) || amount > 99_999_999) {
      throw new Refused(400, { code: 'amount_too_large', param: 'unit_amount' })
    }
    const expires_at = Number(textAt(form, 'expires_at'))
    const left = expires_at - now() / 1000
    if (!(left >= 30 * 60 && left <= 24 * 3600)) {
      throw new Refused(400, { param: 'expires_at', message: 'from 30 minutes to 24 hours' })
    }
    const name = id('cs_test')
    const session: FakeSession = {
      id: name,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${name}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: amount,
      currency: currency ?? '',
      interval: price('recurring', 'interval') as 'month' | 'year',
      client_reference_id: textAt(form, 'client_reference_id') ?? null,
      customer_email: textAt(form, 'customer_email') ?? null,
      metadata: (form.metadata as Record<string, string>) ?? {},
      subscription: null,
      invoice: null,
      success_url: textAt(form, 'success_url') ?? '',
      cancel_url: textAt(form, 'cancel_url') ?? '',
      expires_at,
      mode: textAt(form, 'mode') ?? '',
      payment_intent: null,
    }
    sessions.set(name, session)
    return session
  }

  /** Answers a request, or throws what it is refused with. */
  function answer(method: string, path: string, form: Form, query: URLSearchParams): object {
    const [, first = '', name = '', step = ''] =
      /^\/v1\/(checkout\/sessions|billing_portal\/(?:sessions|configurations)|[a-z_]+)(?:\/([^/]+))?(?:\/([^/]+))?$/.exec(
        path,
      ) ?? []
    const what = `${method} ${first}${name && '/:id'}${step && `/${step}`}`
    if (what === 'POST checkout/sessions') return createSession(form)
    if (what === 'GET checkout/sessions/:id') {
      const session = sessionOf(name)
      const { subscription } = session
      if (subscription === null || query.get('expand[0]') !== 'subscription') return session
      return { ...session, subscription: subscriptions.get(subscription) }
    }
    if (what === 'POST checkout/sessions/:id/expire') {
      const session = sessionOf(name)
      if (session.status !== 'open') throw new Refused(400, { message: 'Only open sessions can be expired.' })
      over(session)
      return session
    }
    if (what === 'GET billing_portal/configurations') {
      return { object: 'list', data: configurations, has_more: false }
    }
    if (what === 'POST billing_portal/configurations') {
      const configuration = { id: id('bpc'), metadata: form.metadata ?? {}, features: form.features }
      configurations.push(configuration)
      return configuration
    }
    if (what === 'POST billing_portal/sessions') {
      if (!configurations.some(one => one.id === textAt(form, 'configuration'))) {
        throw new Refused(400, { param: 'configuration' })
      }
      return { url: `https://billing.stripe.com/p/session/${textAt(form, 'customer')}` }
    }
    if (first === 'subscriptions') {
      const found = subscriptions.get(name)
      if (!found || (method === 'DELETE' && found.status === 'canceled')) throw missing('subscription', name)
      if (method === 'DELETE') subscriptions.end(found, 'cancellation_requested')
      if (method === 'POST') {
        if (found.status === 'canceled')
          throw new Refused(400, { message: 'A canceled subscription can only update its metadata.' })
        subscriptions.cancelAtPeriodEnd(found, textAt(form, 'cancel_at_period_end') === 'true')
      }
      return found
    }
    if (what === 'GET disputes/:id') {
      const payment_intent = disputes.get(name)
      if (!payment_intent) throw missing('dispute', name)
      return { id: name, object: 'dispute', payment_intent }
    }
    if (what === 'GET invoice_payments' && query.has('payment[payment_intent]')) {
      const [subscription] =
        [...payers].find(([, paid]) => paid === query.get('payment[payment_intent]')) ?? []
      const invoice = { object: 'invoice', parent: { subscription_details: { subscription } } }
      return {
        object: 'list',
        data: subscription ? [{ object: 'invoice_payment', invoice }] : [],
        has_more: false,
      }
    }
    if (what === 'GET invoice_payments') {
      const paid = payments.get(query.get('invoice') ?? '')
      const payment = paid && { type: 'payment_intent', payment_intent: paid.payment_intent }
      return {
        object: 'list',
        data: payment ? [{ object: 'invoice_payment', status: 'paid', payment }] : [],
        has_more: false,
      }
    }
    if (what === 'POST refunds') {
      const payment_intent = textAt(form, 'payment_intent') ?? ''
      const paid = [...payments.values()].find(payment => payment.payment_intent === payment_intent)
      if (!paid) throw missing('payment_intent', payment_intent)
      if (paid.refunded) throw new Refused(400, { code: 'charge_already_refunded' })
      paid.refunded = true
      const refund = { id: id('re'), payment_intent, amount: paid.amount }
      refunds.push(refund)
      return { ...refund, object: 'refund', status: 'succeeded' }
    }
    throw new Refused(404, { message: `Unrecognized request URL (${method}: ${path})` })
  }

  /** The customer does their part; where the money takes its time it comes `later`. */
  function complete(name: string, later = false): FakeSession {
    const session = sessionOf(name)
    if (session.status !== 'open') throw new Error(`The session is ${session.status}: nobody can pay there.`)
    session.status = 'complete'
    session.url = null
    session.subscription = id('sub')
    session.invoice = id('in')
    subscriptions.start(session.subscription, session)
    return later ? session : collect(name)
  }

  /** The money comes. */
  function collect(name: string): FakeSession {
    const session = sessionOf(name)
    session.payment_status = session.amount_total === 0 ? 'no_payment_required' : 'paid'
    if (session.amount_total > 0) {
      const payment = { payment_intent: id('pi'), amount: session.amount_total, refunded: false }
      payments.set(session.invoice ?? '', payment)
    }
    return session
  }

  /** The money does not come, and the subscription goes on asking for it. */
  function fail(name: string): FakeSession {
    const session = sessionOf(name)
    const failed = subscriptions.get(session.subscription ?? '')
    if (failed) failed.status = 'past_due'
    return session
  }

  /** The customer asks their bank for the money of the last payment. */
  function dispute(subscription: string): string {
    const [payment, name] = [id('pi'), id('du')]
    payers.set(subscription, payment)
    disputes.set(name, payment)
    return name
  }

  return {
    dispute,
    configurations,
    sessions,
    subscriptions,
    payments,
    refunds,
    answer,
    complete,
    collect,
    fail,
    sessionOf,
  }
}
