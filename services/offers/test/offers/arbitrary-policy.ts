// Arbitrary policies for property tests: valid by the contract, or with defaults that the policy itself may not allow.
import { type ChannelPolicy, channelPolicy } from '@svc/contract/offers/offers'
import fc from 'fast-check'

export const price = fc.record({
  currency: fc.constantFrom('eur' as const, 'usd' as const),
  unit_amount: fc.oneof(fc.nat(100_000_000), fc.constantFrom(0, 100_000_000)),
  interval: fc.constantFrom('month' as const, 'year' as const),
})
export const mode = fc.constantFrom('paid' as const, 'non_billable_test' as const)

const amounts = fc
  .tuple(price, price)
  .map(([{ unit_amount: a }, { unit_amount: b }]) => [Math.min(a, b), Math.max(a, b)] as const)

const range = fc.record({
  currencies: fc.subarray(['eur' as const, 'usd' as const], { minLength: 1 }),
  intervals: fc.subarray(['month' as const, 'year' as const], { minLength: 1 }),
  amounts,
  default_price: price,
})

/** Each property is valid; whether the rest of the policy allows the defaults is random. */
export const anyPolicy = fc.record({
  approval: fc.constantFrom('automatic' as const, 'manual' as const),
  checkout: fc.constantFrom('none' as const, 'required' as const),
  support: fc.option(fc.constant('gold')),
  payment_instructions: fc.option(fc.constant('By transfer.')),
  entitlements: fc.dictionary(
    fc.stringMatching(/^[a-z][a-z0-9_]{0,39}$/),
    fc.oneof(fc.boolean(), fc.integer(), fc.constant('gold')),
    { maxKeys: 20 },
  ),
  licence_days: fc.integer({ min: 1, max: 400 }),
  pricing: fc.oneof(
    price.map(fixed => ({ kind: 'fixed' as const, ...fixed })),
    range.map(({ amounts: [min_unit_amount, max_unit_amount], ...rest }) => ({
      kind: 'range' as const,
      min_unit_amount,
      max_unit_amount,
      ...rest,
    })),
  ),
  allow_non_billable_test: fc.boolean(),
  default_commercial_mode: mode,
})

/** Valid by the contract: defaults outside the policy's bounds are moved inside. */
export const policy: fc.Arbitrary<ChannelPolicy> = anyPolicy.map(({ pricing, ...rest }) =>
  channelPolicy.parse({
    ...rest,
    pricing: pricing.kind === 'fixed' ? pricing : { ...pricing, default_price: inside(pricing) },
    allow_non_billable_test:
      rest.allow_non_billable_test || rest.default_commercial_mode === 'non_billable_test',
  }),
)

type Range = Extract<ChannelPolicy['pricing'], { kind: 'range' }>

function inside({ currencies, intervals, min_unit_amount, max_unit_amount, default_price }: Range) {
  const { currency, interval, unit_amount } = default_price
  return {
    currency: currencies.includes(currency) ? currency : currencies[0],
    interval: intervals.includes(interval) ? interval : intervals[0],
    unit_amount: Math.min(max_unit_amount, Math.max(min_unit_amount, unit_amount)),
  }
}
