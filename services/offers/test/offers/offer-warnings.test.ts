// What a seller is told of an offer whose orders may come to nothing.
import { expect, test } from 'vitest'
import { warningsOf } from '../../src/offers/offer-warnings.ts'

const terms = {
  approval: 'automatic',
  checkout: 'none',
  support: null,
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  commercial_mode: 'paid',
  price: null,
} as const
const manual = { ...terms, approval: 'manual' } as const
const paid = { ...terms, checkout: 'required' } as const
const told = { ...paid, payment_instructions: 'By transfer.' } as const

test.each([
  ['nothing waits for a person', terms, 1, 'manual', []],
  ['an approval in two hours', manual, 120, 'manual', ['short_order_ttl']],
  ['an approval in a working day', manual, 480, 'manual', []],
  ['a payment in a working day', told, 480, 'manual', ['short_order_ttl']],
  ['a payment in a day', told, 1440, 'manual', []],
  ['a payment without instructions', paid, 1440, 'manual', ['no_payment_instructions']],
  ['a payment at Stripe', paid, 1, 'stripe', []],
] as const)('%s', (_, terms, order_ttl_minutes, provider, codes) => {
  const offer = { state: 'active', terms, order_ttl_minutes } as const
  expect(warningsOf(offer, provider).map(({ code }) => code)).toEqual(codes)
  expect(warningsOf({ ...offer, state: 'revoked' }, provider)).toEqual([])
})

test('times are said in words, with the remedy', () => {
  const [warning] = warningsOf({ state: 'active', terms: manual, order_ttl_minutes: 90 }, 'manual')
  expect(warning?.message).toBe(
    'An order has 90 minutes to be approved; then it expires. Create offers with order_ttl_minutes 480 (8 hours).',
  )
})
