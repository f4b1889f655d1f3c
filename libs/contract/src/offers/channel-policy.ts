/**
 * The terms that an offer channel's policy allows: docs/specification.md, R35. Its defaults must be among them, so
 * that no active channel refuses an offer without wishes.
 */
import * as z from 'zod'
import { productBacked } from './offer-input.ts'
import { linesText, list, text } from '../core/text.ts'

const price = productBacked.shape.pricing_request.unwrap()
const { currency, interval, unit_amount } = price.shape
export type Price = z.output<typeof price>

const fixed = z
  .strictObject({
    kind: z.literal('fixed').describe('Every offer has this price.'),
    currency,
    interval,
    unit_amount,
  })
  .meta({ id: 'FixedPricing' })

const range = z
  .strictObject({
    kind: z.literal('range').describe('An offer may request any price within these limits.'),
    currencies: list(currency, { min: 1, max: 2 }).describe('The currencies that an offer may request.'),
    intervals: list(interval, { min: 1, max: 2 }).describe('The intervals that an offer may request.'),
    min_unit_amount: unit_amount.describe('The lowest price allowed, in the smallest currency unit.'),
    max_unit_amount: unit_amount.describe('The highest price allowed, in the smallest currency unit.'),
    default_price: price.describe('The price of an offer that requests none; within the other limits.'),
  })
  .refine(({ min_unit_amount, max_unit_amount }) => min_unit_amount <= max_unit_amount, {
    path: ['max_unit_amount'],
    error: 'must be at least min_unit_amount',
    abort: true,
  })
  .check(({ value, issues }) => {
    for (const { field, rule, accepted } of refusedFields(value.default_price, value)) {
      issues.push({
        code: 'custom',
        path: ['default_price', field],
        message: `must be ${rule}`,
        params: { metadata: accepted },
        input: value,
      })
    }
  })
  .meta({ id: 'RangePricing' })

const maxEntitlements = 20

const entitlements = z
  .record(
    z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, 'must be 1 to 40 of a-z, 0-9 and _, and begin with a letter'),
    z.union([z.boolean(), z.int(), text(0, 200)]),
  )
  .refine(
    entries => Object.keys(entries).length <= maxEntitlements,
    `must have at most ${maxEntitlements} keys`,
  )
  .meta({ maxProperties: maxEntitlements })
export type Entitlements = z.output<typeof entitlements>

export const channelPolicy = z
  .strictObject({
    approval: z.enum(['automatic', 'manual']).describe('`manual`: the seller approves each order.'),
    checkout: z.enum(['none', 'required']).describe('Whether an order is paid before it completes.'),
    support: text(1, 200).nullable().default(null).describe('The support that customers get, in words.'),
    payment_instructions: linesText(1, 2000)
      .nullable()
      .default(null)
      .describe(
        'How customers pay where you confirm payments yourself: plain text, in which web addresses become links. Shown on the order and mailed, with the `reference` of the order.',
      ),
    entitlements: entitlements
      .default({})
      .describe('What licences say about each install, for the program to read, by names of your own.'),
    licence_days: z
      .int()
      .min(1)
      .max(400)
      .default(30)
      .describe('How many days a licence lasts that no subscription pays for.'),
    grace_days: z
      .int()
      .min(0)
      .max(60)
      .default(7)
      .describe(
        'For how many days an install goes on after the paid period, until its subscription has lapsed.',
      ),
    pricing: z
      .discriminatedUnion('kind', [range, fixed])
      .describe('What offers cost: one price, or limits within which each offer may request its own.'),
    allow_non_billable_test: z.boolean().describe('Whether an offer may ask for `non_billable_test`.'),
    default_commercial_mode: productBacked.shape.commercial_mode
      .unwrap()
      .default('paid')
      .describe('The mode of an offer that names none; one of those allowed.'),
  })
  .refine(
    ({ allow_non_billable_test, default_commercial_mode }) =>
      allow_non_billable_test || default_commercial_mode === 'paid',
    { path: ['default_commercial_mode'], error: 'must be paid where allow_non_billable_test is false' },
  )
  .meta({ id: 'ChannelPolicy' })
export type ChannelPolicy = z.output<typeof channelPolicy>

interface RefusedField {
  readonly field: keyof Price
  readonly rule: string
  /** The same for programs, as `metadata` of an entry has it: `min` and `max` in the smallest currency unit, or `one_of`. */
  readonly accepted: Readonly<Record<string, string>>
}

export function refusedFields(price: Price, pricing: ChannelPolicy['pricing']): RefusedField[] {
  const {
    currencies,
    intervals,
    min_unit_amount: min,
    max_unit_amount: max,
  } = pricing.kind === 'range' ? pricing : onlyOf(pricing)
  const amount: RefusedField = {
    field: 'unit_amount',
    rule: min === max ? `${min}` : `from ${min} to ${max}`,
    accepted: { min: `${min}`, max: `${max}` },
  }
  return [
    ...refusedChoice('currency', price.currency, currencies),
    ...refusedChoice('interval', price.interval, intervals),
    ...(price.unit_amount < min || price.unit_amount > max ? [amount] : []),
  ]
}

/** If nothing may be chosen, which has its own refusal, the choice needs no other one. */
const refusedChoice = (field: keyof Price, chosen: string, among: readonly string[]): RefusedField[] =>
  among.length === 0 || among.includes(chosen)
    ? []
    : [{ field, rule: among.join(' or '), accepted: { one_of: among.join(',') } }]

const onlyOf = ({ currency, interval, unit_amount }: Price) => ({
  currencies: [currency],
  intervals: [interval],
  min_unit_amount: unit_amount,
  max_unit_amount: unit_amount,
})
