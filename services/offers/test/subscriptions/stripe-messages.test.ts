// Messages of Stripe only say when to read: what a subscription is follows from what Stripe has.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startSubscriptionScene } from './subscription-scene.ts'

const scene = forFile(startSubscriptionScene)

const types = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
] as const
const replica = fc.nat(1)
const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('message' as const), type: fc.constantFrom(...types), replica }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('read' as const), replica }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('read_together' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('card' as const), accepted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('at_stripe' as const), cancelled: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fault' as const),
      kind: fc.constantFrom('error', 'cut', 'lost'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('sweep' as const), replica }) },
  { weight: 1, arbitrary: fc.constant({ do: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'resume' as const }) },
)

test('whatever messages are lost, repeated or reordered, the state is that of Stripe, and no event tells it twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 7, 30),
      fc.array(command, { minLength: 3, maxLength: 25, size: 'max' }),
      async (grace_days, commands) => {
        scene.stripe.faults.length = 0
        scene.clock.offsetMs = 0
        const { id, subscription, customer } = await scene.newPaid('stripe', grace_days)
        for (const next of commands) {
          if (next.do === 'pass') scene.passDays(next.days)
          if (next.do === 'message') await scene.message(next.type, subscription, next.replica)
          if (next.do === 'read') await scene.follow(next.replica)
          if (next.do === 'read_together') await Promise.all([scene.follow(0), scene.follow(1)])
          if (next.do === 'card') scene.stripe.subscriptions.setCard(subscription, next.accepted)
          if (next.do === 'fault') {
            scene.stripe.faults.push({ kind: next.kind as 'error', on: '', times: 1 })
          }
          if (next.do === 'sweep') await scene.sweep(next.replica)
          if (next.do === 'cancel') await scene.ask('cancel_subscription', customer, { params: { id } })
          if (next.do === 'resume') await scene.ask('resume_subscription', customer, { params: { id } })
          if (next.do === 'at_stripe') {
            const there = scene.stripe.subscriptions.get(subscription)
            if (there && there.status !== 'canceled') {
              scene.stripe.subscriptions.cancelAtPeriodEnd(there, next.cancelled)
            }
          }
        }
        scene.stripe.faults.length = 0
        scene.passDays(1)
        await scene.settle()
        // What was wanted and failed meanwhile is claimed again once its lease has ended.
        scene.passDays(1)
        await scene.settle()

        const there = scene.stripe.subscriptions.get(subscription)
        const [item] = there?.items.data ?? []
        const now = scene.clock.now() / 1000
        const paidThrough =
          (there?.latest_invoice.status === 'paid' ? item?.current_period_end : item?.current_period_start) ??
          0
        const state =
          there?.status === 'canceled'
            ? 'ended'
            : there?.status === 'active' || now < paidThrough
              ? 'active'
              : now < paidThrough + grace_days * 86_400
                ? 'past_due'
                : 'lapsed'
        const view = await scene.view(id)
        expect(view).toMatchObject({
          state,
          paid_through: paidThrough,
          grace_until: paidThrough + grace_days * 86_400,
          ended_at: there?.ended_at,
          problem: null,
        })
        if (state !== 'ended') expect(view.cancel_at).toBe(there?.cancel_at)

        const told = await scene.told(id)
        const states = told.flatMap(type =>
          type === 'started' || type === 'recovered'
            ? 'active'
            : ['past_due', 'lapsed', 'ended'].includes(type)
              ? type
              : [],
        )
        expect(states.at(-1)).toBe(state)
        expect(states.filter((one, at) => one === states[at - 1])).toEqual([])
        const plans = told.filter(type => type.startsWith('cancel_'))
        expect(plans.filter((one, at) => one === (plans[at - 1] ?? 'cancel_withdrawn'))).toEqual([])
      },
    ),
    { numRuns: sized(4, 300) },
  )
})

test('a late message that an ended subscription is active changes nothing', async () => {
  scene.clock.offsetMs = 0
  const { id, subscription } = await scene.newPaid('stripe')
  await scene.settle()
  const there = scene.stripe.subscriptions.get(subscription)
  if (there) scene.stripe.subscriptions.end(there, 'payment_disputed')
  await scene.message('customer.subscription.deleted', subscription)
  await scene.settle()
  await scene.message('customer.subscription.updated', subscription, 1)
  await scene.settle()
  expect(await scene.view(id)).toMatchObject({ state: 'ended', end_reason: 'payment_disputed' })
  expect(await scene.told(id)).toEqual(['started', 'ended'])
})

test('another price at Stripe is told and logged once, however often it is read', async () => {
  scene.clock.offsetMs = 0
  const { id, subscription } = await scene.newPaid('stripe')
  await scene.settle()
  const [item] = scene.stripe.subscriptions.get(subscription)?.items.data ?? []
  if (item) item.price.unit_amount++
  for (let day = 0; day < 3; day++) {
    scene.passDays(1)
    await scene.settle()
  }
  expect(await scene.view(id)).toMatchObject({ state: 'active', problem: 'price_changed' })
  expect(await scene.told(id)).toEqual(['started', 'price_changed'])
  expect(scene.errors.filter(facts => JSON.stringify(facts).includes(id))).toEqual([
    { install_id: id, problem: 'price_changed' },
  ])
})

test('400 days of one subscription are told as what happened to it, each once', async () => {
  scene.clock.offsetMs = 0
  const { id, subscription, customer } = await scene.newPaid('stripe', 30)
  for (let day = 5; day <= 400; day += 5) {
    // The fifth month ends between day 150 and day 155, and the thirteenth between 385 and 400.
    if (day === 140) scene.stripe.subscriptions.setCard(subscription, false)
    if (day === 160) scene.stripe.subscriptions.setCard(subscription, true)
    if (day === 385) await scene.ask('cancel_subscription', customer, { params: { id } })
    scene.passDays(5)
    await scene.settle()
  }
  expect(await scene.told(id)).toEqual([
    'started',
    ...Array(4).fill('renewed'),
    'past_due',
    'renewed',
    'recovered',
    ...Array(7).fill('renewed'),
    'cancel_planned',
    'ended',
  ])
  expect(await scene.view(id)).toMatchObject({ state: 'ended', end_reason: 'cancelled' })
})

test('a dispute is told to the seller once, by whichever replica, and ends nothing', async () => {
  const { id, subscription } = await scene.newPaid('stripe')
  const dispute = scene.stripe.dispute(subscription)
  const others = scene.stripe.dispute('sub_of_another_product')
  for (const replica of [0, 1]) await scene.message('charge.dispute.created', dispute, replica)
  await scene.message('charge.dispute.created', others)
  while ((await Promise.all([0, 1].map(scene.followDispute))).some(Boolean)) {}
  await scene.message('charge.dispute.created', dispute)
  await scene.followDispute()
  expect(await scene.told(id)).toEqual(['started', 'disputed'])
  expect(await scene.view(id)).toMatchObject({ state: 'active', ended_at: null })
})
