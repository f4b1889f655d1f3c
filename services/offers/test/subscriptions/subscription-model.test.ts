// In any sequence of steps a subscription that the seller confirms has the state and the events of the model.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startSubscriptionScene } from './subscription-scene.ts'

const scene = forFile(startSubscriptionScene)

const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('confirm' as const), isRepeated: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cancel' as const), at: fc.constantFrom('now', 'period_end') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('resume' as const, 'remove' as const, 'sweep' as const) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('confirm_stale' as const) }) },
)

const day = 86_400

/** What the product should do, in Unix seconds and without a database. */
function newModel(start: number, boundaries: readonly number[], graceDays: number) {
  const model = {
    now: start,
    paid: boundaries[0] as number,
    before: undefined as number | undefined,
    cancelAt: null as number | null,
    reason: null as string | null,
    removed: false,
    renewals: 0,
    state,
    confirm(): boolean {
      if (state() === 'ended' || model.cancelAt !== null) return false
      model.before = model.paid
      model.paid = boundaries.find(at => at > model.paid) as number
      model.renewals++
      return true
    },
    cancel(atOnce: boolean, reason = 'cancelled') {
      if (state() === 'ended' || (model.cancelAt !== null && !atOnce)) return
      model.cancelAt = atOnce ? model.now : Math.max(model.now, model.paid)
      model.reason = reason
    },
    resume(): boolean {
      if (state() === 'ended') return false
      model.cancelAt = null
      model.reason = null
      return true
    },
  }
  return model

  function state() {
    if (model.cancelAt !== null && model.cancelAt <= model.now) return 'ended'
    if (model.now < model.paid) return 'active'
    return model.now < model.paid + graceDays * day ? 'past_due' : 'lapsed'
  }
}

test('any sequence of steps of a confirmed subscription matches the model', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(0, 7, 60),
      fc.array(command, { minLength: 3, maxLength: sized(20, 40), size: 'max' }),
      async (graceDays, commands) => {
        scene.clock.offsetMs = 0
        const { id, customer } = await scene.newPaid('manual', graceDays)
        const [row] = await scene.sql`select first_paid_at from offers.subscriptions where install_id = ${id}`
        const first = Number(row?.first_paid_at)
        const boundaries = await scene.sql<{ at: number }[]>`
          select extract(epoch from (to_timestamp(${first}) at time zone 'UTC' + make_interval(months => n)) at time zone 'UTC')::float8 as at
          from generate_series(1, 60) n`
        const model = newModel(
          first,
          boundaries.map(({ at }) => at),
          graceDays,
        )
        for (const next of commands) {
          await execute(next)
          model.now = Math.floor(scene.clock.now() / 1000)
          await compare()
        }
        await scene.settle()
        const told = await scene.told(id)
        expect(told.filter(type => type === 'renewed')).toHaveLength(model.renewals)
        expect(told.filter(type => type === 'ended')).toHaveLength(model.state() === 'ended' ? 1 : 0)

        async function execute(next: (typeof commands)[number]) {
          if (next.do === 'pass') {
            scene.passDays(next.days)
          } else if (next.do === 'sweep') await scene.sweep()
          else if (next.do === 'cancel') {
            model.cancel(next.at === 'now')
            await ok('cancel_subscription', { at: next.at })
          } else if (next.do === 'remove') {
            if (!model.removed) model.cancel(false, 'removed')
            model.removed = true
            await ok('remove_install', {})
          } else if (next.do === 'resume') {
            const before = model.state()
            const answer = await scene.ask('resume_subscription', customer, { params: { id } })
            if (model.resume()) expect(answer.status).toBe(200)
            else expect(answer.body.errors).toMatchObject([{ code: 40910, metadata: { state: before } }])
          } else if (next.do === 'confirm_stale') {
            expect((await confirm(1)).status).toBe(409)
          } else if (next.do === 'confirm' && next.isRepeated && model.before !== undefined) {
            expect((await confirm(model.before)).status).toBe(200)
          } else {
            const after = model.paid
            expect((await confirm(after)).status).toBe(model.confirm() ? 200 : 409)
          }
        }

        async function ok(operation: 'cancel_subscription' | 'remove_install', body: object) {
          const { status, body: install } = await scene.ask(operation, customer, { params: { id }, body })
          expect(status).toBe(200)
          const { cancel_at } = install.subscription as { cancel_at: number | null }
          // Where it ends at once, the second may be the one before or after.
          if (cancel_at && model.cancelAt && Math.abs(cancel_at - model.cancelAt) <= 60)
            model.cancelAt = cancel_at
        }

        function confirm(after: number) {
          return scene.ask('confirm_subscription_payment', scene.internal, {
            params: { id },
            body: { after },
          })
        }

        async function compare() {
          const state = model.state()
          expect(await scene.view(id)).toMatchObject({
            state,
            paid_through: model.paid,
            grace_until: model.paid + graceDays * day,
            cancel_at: model.cancelAt,
            ended_at: state === 'ended' ? model.cancelAt : null,
            end_reason: state === 'ended' ? model.reason : null,
          })
        }
      },
    ),
    { numRuns: sized(4, 200) },
  )
})

test('an install that is removed is not paid for any longer, unless that is asked for', async () => {
  scene.clock.offsetMs = 0
  const [removed, kept] = [await scene.newPaid('stripe'), await scene.newPaid('stripe')]
  await scene.settle()
  await scene.ask('remove_install', removed.customer, { params: { id: removed.id } })
  const body = { keep_subscription: true }
  await scene.ask('remove_install', kept.customer, { params: { id: kept.id }, body })
  await scene.settle()
  scene.passDays(40)
  expect(scene.stripe.subscriptions.get(removed.subscription)?.status).toBe('canceled')
  expect(scene.stripe.subscriptions.get(kept.subscription)?.status).toBe('active')
  await scene.settle()
  expect(await scene.view(removed.id)).toMatchObject({ state: 'ended', end_reason: 'removed' })
})

test('a cancellation is acknowledged while Stripe is away, shown at once, and reaches it once', async () => {
  scene.clock.offsetMs = 0
  const { id, customer, subscription } = await scene.newPaid('stripe')
  await scene.settle()
  const line = `POST /v1/subscriptions/${subscription}`
  scene.stripe.faults.push({ kind: 'cut', on: line, times: 4 })
  const { body } = await scene.ask('cancel_subscription', customer, { params: { id } })
  const paidThrough = (body.subscription as { paid_through: number }).paid_through
  expect(body.subscription).toMatchObject({ state: 'active', cancel_at: paidThrough })
  await scene.settle()
  scene.passDays(1)
  await scene.settle()
  expect(new Set(scene.stripe.requests.filter(each => each.line === line).map(({ key }) => key)).size).toBe(1)
  expect(scene.stripe.subscriptions.get(subscription)?.cancel_at).toBe(paidThrough)
  expect(await scene.told(id)).toEqual(['started', 'cancel_planned'])
})

test('a cancellation that Stripe refuses is logged and asked again within a day, and the subscription is read on', async () => {
  scene.clock.offsetMs = 0
  const { id, customer, subscription } = await scene.newPaid('stripe')
  await scene.settle()
  const line = `POST /v1/subscriptions/${subscription}`
  scene.stripe.faults.push({ kind: 'revoked', on: line, times: 1 })
  const { body } = await scene.ask('cancel_subscription', customer, { params: { id } })
  await scene.settle()
  const logged = scene.errors.filter(facts => JSON.stringify(facts).includes(id))
  expect(logged).toMatchObject([{ wanted: 'cancel_at_period_end', kind: 'refused' }])
  expect((await scene.view(id)).cancel_at).toBe((body.subscription as { cancel_at: number }).cancel_at)
  expect(scene.stripe.asked(line)).toBe(1)
  scene.passDays(1)
  await scene.settle()
  expect(scene.stripe.subscriptions.get(subscription)?.cancel_at).not.toBeNull()
  expect(await scene.told(id)).toEqual(['started', 'cancel_planned'])
})
