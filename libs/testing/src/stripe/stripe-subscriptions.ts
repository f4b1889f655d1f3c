// Subscriptions as Stripe has them: they renew as time passes, unless the card is refused.

type Status = 'active' | 'past_due' | 'unpaid' | 'canceled'

export interface FakeSubscription {
  id: string
  object: 'subscription'
  customer: string
  status: Status
  cancel_at: number | null
  ended_at: number | null
  cancellation_details: { reason: string | null }
  latest_invoice: { id: string; status: 'draft' | 'open' | 'paid' | 'void' }
  items: {
    data: {
      quantity: number
      current_period_start: number
      current_period_end: number
      price: {
        currency: string
        unit_amount: number
        recurring: { interval: 'month' | 'year'; interval_count: number }
      }
    }[]
  }
}

/** Retries of a refused card go on for so long, as in Stripe's default; then the subscription is cancelled. */
const retryDays = 21

export function createStripeSubscriptions(now: () => number) {
  const all = new Map<string, FakeSubscription>()
  const first = new Map<string, number>()
  const seconds = () => Math.floor(now() / 1000)

  /** As of now: periods that have passed since are renewed. */
  function get(id: string): FakeSubscription | undefined {
    const one = all.get(id)
    if (one) catchUp(one)
    return one
  }

  function catchUp(one: FakeSubscription) {
    const item = itemOf(one)
    while (one.status !== 'canceled') {
      const failsAt =
        one.latest_invoice.status === 'open'
          ? item.current_period_start + retryDays * 86_400
          : Number.POSITIVE_INFINITY
      const next = Math.min(failsAt, one.cancel_at ?? Number.POSITIVE_INFINITY, item.current_period_end)
      if (next > seconds()) return
      if (next === one.cancel_at) end(one, 'cancellation_requested', next)
      else if (next === failsAt) end(one, 'payment_failed', next)
      else renew(one)
    }
  }

  function renew(one: FakeSubscription) {
    const item = itemOf(one)
    item.current_period_start = item.current_period_end
    item.current_period_end = periodEnd(one)
    const isPaid = one.status === 'active' && !refused.has(one.id)
    one.latest_invoice = {
      id: `in_${all.size}_${item.current_period_start}`,
      status: isPaid ? 'paid' : 'open',
    }
    if (!isPaid) one.status = 'past_due'
  }

  function periodEnd(one: FakeSubscription): number {
    const { current_period_start, price } = itemOf(one)
    const start = new Date((first.get(one.id) ?? 0) * 1000)
    const step = price.recurring.interval === 'year' ? 12 : 1
    for (let months = step; ; months += step) {
      const lastDay = new Date(
        Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + months + 1, 0),
      ).getUTCDate()
      const at = new Date(start)
      at.setUTCDate(1)
      at.setUTCMonth(start.getUTCMonth() + months)
      at.setUTCDate(Math.min(start.getUTCDate(), lastDay))
      if (at.getTime() / 1000 > current_period_start) return at.getTime() / 1000
    }
  }

  function end(one: FakeSubscription, reason: string, at = seconds()) {
    Object.assign(one, { status: 'canceled', ended_at: at, cancellation_details: { reason } })
  }

  /** Whose card is refused from now on. */
  const refused = new Set<string>()

  return {
    get,
    end,
    start(
      id: string,
      {
        currency,
        amount_total,
        interval,
      }: { currency: string; amount_total: number; interval: 'month' | 'year' },
    ) {
      const price = { currency, unit_amount: amount_total, recurring: { interval, interval_count: 1 } }
      const start = seconds()
      const one: FakeSubscription = {
        id,
        object: 'subscription',
        customer: `cus_of_${id}`,
        status: 'active',
        cancel_at: null,
        ended_at: null,
        cancellation_details: { reason: null },
        latest_invoice: { id: `in_${all.size}`, status: 'paid' },
        items: { data: [{ quantity: 1, current_period_start: start, current_period_end: start, price }] },
      }
      all.set(id, one)
      first.set(id, start)
      itemOf(one).current_period_end = periodEnd(one)
      return one
    },
    cancelAtPeriodEnd(one: FakeSubscription, isCancelled: boolean) {
      one.cancel_at = isCancelled ? itemOf(one).current_period_end : null
    },
    /** From now on the card is refused, or accepted, which pays what is open. */
    setCard(id: string, isAccepted: boolean) {
      const one = get(id)
      if (!isAccepted) return void refused.add(id)
      refused.delete(id)
      if (one?.status === 'past_due') {
        one.status = 'active'
        one.latest_invoice.status = 'paid'
      }
    },
  }
}

function itemOf(one: FakeSubscription) {
  const [item] = one.items.data
  if (!item) throw new Error('no item')
  return item
}
