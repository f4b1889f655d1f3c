// In any sequence of steps seats are never oversold, a free one is never refused, and every order has the state and the
// events of the model.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newCustomer, shareOffers, type Way } from '../running-offers.ts'

const running = forFile(shareOffers)

const ttlMinutes = 10
const steps = ['submit', 'cancel', 'approve', 'reject', 'pay'] as const
type Step = (typeof steps)[number]
type Command =
  | { do: 'order'; customer: number }
  | { do: Step; order: number }
  | { do: 'pass'; minutes: number }
  | { do: 'revoke' }
  | { do: 'sweep'; replica: number }

const customerCount = 4
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant('order' as const), customer: fc.nat(customerCount - 1) }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constantFrom(...steps), order: fc.nat(20) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 10 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const), replica: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'revoke' as const }) },
)

const scene = fc.record({
  way: fc.constantFrom<Way>('direct', 'approval', 'checkout', 'both'),
  max_uses: fc.option(fc.integer({ min: 1, max: 3 })),
  /** In minutes; half a minute off every step of the clock. */
  expires_after: fc.option(fc.constantFrom(15.5, 30.5)),
})

interface ModelOrder {
  id: string
  customer: number
  state: string
  expires: number
  events: string[]
}

const holding = (state: string) => ['open', 'awaiting_approval', 'awaiting_checkout'].includes(state)

/** A model of what the product should do, with time in minutes and without a database. */
function newModel({
  way,
  max_uses,
  expires_after,
}: {
  way: Way
  max_uses: number | null
  expires_after: number | null
}) {
  const orders: ModelOrder[] = []
  const model = { orders, now: 0, revoked: false, redeemed: 0, order, step, pass, revoke, held }
  return model

  function enter(one: ModelOrder, state: string) {
    one.state = state
    one.events.push(`orders.${state}`)
  }
  function held() {
    return orders.filter(({ state }) => holding(state)).length
  }
  function deadline() {
    return Math.min(model.now + ttlMinutes, expires_after ?? Number.POSITIVE_INFINITY)
  }
  function pass(minutes: number) {
    model.now += minutes
    for (const one of orders) if (holding(one.state) && one.expires <= model.now) enter(one, 'expired')
  }
  function revoke() {
    for (const one of orders) if (holding(one.state)) enter(one, 'cancelled')
    model.revoked = true
  }
  function order(customer: number): number | ModelOrder | 'new' {
    if (model.revoked) return 40911
    if (max_uses !== null && model.redeemed >= max_uses) return 40913
    if (expires_after !== null && expires_after <= model.now) return 40912
    const own = orders.find(one => one.customer === customer && holding(one.state))
    if (own) return own
    if (max_uses !== null && model.redeemed + held() >= max_uses) return 40914
    orders.push({ id: '', customer, state: 'open', expires: deadline(), events: ['orders.created'] })
    return 'new'
  }
  function step(one: ModelOrder, name: Step): string | undefined {
    const next = nextState(one.state, name)
    if (!next) return undefined
    if (name === 'submit' || name === 'approve') one.expires = deadline()
    if (next === 'completed') model.redeemed++
    enter(one, next)
    return next
  }
  function nextState(state: string, name: Step): string | undefined {
    const approval = way === 'approval' || way === 'both'
    const paid = way === 'checkout' || way === 'both' ? 'awaiting_checkout' : 'completed'
    const transitions: Record<string, string> = {
      'open submit': approval ? 'awaiting_approval' : paid,
      'awaiting_approval approve': paid,
      'awaiting_approval reject': 'rejected',
      'awaiting_checkout pay': 'completed',
    }
    if (name === 'cancel') return holding(state) ? 'cancelled' : undefined
    return transitions[`${state} ${name}`]
  }
}

test('any sequence of steps matches the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      scene,
      fc.array(command, { minLength: 5, maxLength: sized(30, 60), size: 'max' }),
      async (given, commands) => {
        running.clock.offsetMs = 0
        const offer = await running.newOffer({
          way: given.way,
          max_uses: given.max_uses,
          order_ttl_minutes: ttlMinutes,
          ...(given.expires_after !== null && {
            expires_at: Math.floor(Date.now() / 1000 + given.expires_after * 60),
          }),
        })
        const customers = Array.from({ length: customerCount }, () => newCustomer())
        const model = newModel(given)
        for (const next of commands) {
          await execute(next)
          await compare()
        }
        while (await running.sweep()) {}
        for (const { id, events } of model.orders) expect(await running.eventTypes(id)).toEqual(events)

        async function execute(next: Command) {
          if (next.do === 'pass') {
            running.pass(next.minutes)
            return model.pass(next.minutes)
          }
          if (next.do === 'revoke') {
            expect((await running.revoke(offer.id)).status).toBe(200)
            return model.revoke()
          }
          if (next.do === 'sweep') return void (await running.sweep(next.replica))
          if (next.do === 'order') {
            const answer = await running.order(offer.short_hash, customers[next.customer] as never)
            const expected = model.order(next.customer)
            if (typeof expected === 'number') {
              expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([409, expected])
            } else {
              const own = expected === 'new' ? model.orders.at(-1) : expected
              expect([answer.status, answer.replayed]).toEqual([201, expected !== 'new'])
              if (expected === 'new' && own) own.id = answer.body.id
              expect(answer.body).toMatchObject({ id: own?.id, state: own?.state })
            }
            return
          }
          const one = model.orders[next.order % (model.orders.length || 1)]
          if (!one) return
          const before = one.state
          const customer = customers[one.customer] as ReturnType<typeof newCustomer>
          const answer =
            next.do === 'submit' || next.do === 'cancel'
              ? await running[next.do](one.id, customer)
              : await running[next.do](one.id)
          const state = model.step(one, next.do)
          if (state) expect([answer.status, answer.body.state]).toEqual([200, state])
          else {
            expect(answer.status).toBe(409)
            expect(answer.body.errors).toMatchObject([{ code: 40910, metadata: { state: before } }])
          }
        }

        async function compare() {
          const { body } = await running.ask('list_orders', running.internal, {
            query: { relation: 'received', offer_id: offer.id, limit: '100' },
          })
          expect(body.data.map(({ id, state }) => ({ id, state })).reverse()).toEqual(
            model.orders.map(({ id, state }) => ({ id, state })),
          )
          const { body: read } = await running.getOffer(offer.id)
          expect(read.seats).toEqual({
            max_uses: given.max_uses,
            redeemed: model.redeemed,
            reserved: model.held(),
            available: given.max_uses === null ? null : given.max_uses - model.redeemed - model.held(),
          })
          const { installs, redeemed } = await running.seats(offer.id)
          expect([installs, redeemed]).toEqual([model.redeemed, model.redeemed])
        }
      },
    ),
    { numRuns: sized(3, 40) },
  )
})
