// docs/specification.md, R27 and R35: the channel's active policy decides; the request only asks.
import { forFile } from '@svc/testing/for-file'
import { channelBacked, type OfferInput } from '@svc/contract/offers/offer-input'
import { type ChannelPolicy, channelPolicy } from '@svc/contract/offers/offers'
import fc from 'fast-check'
import { sized } from '@svc/testing/size'
import { beforeAll, expect, test } from 'vitest'
import { resolveTerms } from '../../src/offers/create/resolve-terms.ts'
import { anyPolicy, policy as validPolicy } from './arbitrary-policy.ts'
import { shareBench } from '../in-process.ts'
import { fixedPolicy, rangePolicy } from '../catalogue.ts'
import { summaryOf } from '../http.ts'

type Requested = { pricing_request?: object; commercial_mode?: string }

const bench = forFile(shareBench)
let product_id: string
beforeAll(async () => {
  ;({ product_id } = await bench.catalogue.twoVersions())
})

const eur = (unit_amount: number, rest: object = {}) => ({
  pricing_request: { currency: 'eur', interval: 'month', unit_amount, ...rest },
})
const usd = (unit_amount: number) => ({ pricing_request: { currency: 'usd', interval: 'year', unit_amount } })
const asTest = { commercial_mode: 'non_billable_test' }
const checkoutPolicy: ChannelPolicy = { ...rangePolicy, checkout: 'required' }
const refuses: ChannelPolicy = { ...fixedPolicy, allow_non_billable_test: false }

const amount: [number, string] = [42207, 'pricing_request.unit_amount']
const currency: [number, string] = [42207, 'pricing_request.currency']
const interval: [number, string] = [42207, 'pricing_request.interval']
const mode: [number, string] = [42208, 'commercial_mode']

test.each<[string, ChannelPolicy, Requested, [number, string][]]>([
  ['below the range', rangePolicy, eur(99), [amount]],
  ['above the range', rangePolicy, eur(201), [amount]],
  ['another currency', rangePolicy, eur(100, { currency: 'usd' }), [currency]],
  ['another interval', rangePolicy, eur(100, { interval: 'year' }), [interval]],
  ['everything wrong', rangePolicy, { ...usd(1), ...asTest }, [currency, interval, amount, mode]],
  ['below the fixed price', fixedPolicy, usd(4999), [amount]],
  ['above the fixed price', fixedPolicy, usd(5001), [amount]],
  ['the fixed amount of another kind', fixedPolicy, eur(5000), [currency, interval]],
  ['a test where none is allowed', rangePolicy, asTest, [mode]],
  ['a test where none is allowed, at a fixed price', refuses, asTest, [mode]],
])('%s is refused, field by field', async (_, policy, requested, problems) => {
  const offer_channel_id = await bench.catalogue.channel(product_id, policy)
  const answer = await bench.create({ body: { product_id, offer_channel_id, ...requested } })
  expect(summaryOf(answer)).toEqual([422, ...problems])
})

const usual = eur(120).pricing_request
const range = {
  approval: 'manual',
  checkout: 'none',
  support: 'gold',
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  commercial_mode: 'paid',
  price: usual,
}
const fixed = {
  approval: 'automatic',
  checkout: 'required',
  support: null,
  payment_instructions: null,
  entitlements: {},
  licence_days: 30,
  commercial_mode: 'paid',
}
const builtIn = { ...fixed, checkout: 'none', price: null }

test.each<[string, ChannelPolicy | undefined, Requested, object]>([
  ['nothing requested', rangePolicy, {}, range],
  ['the lowest price', rangePolicy, eur(100), { ...range, price: eur(100).pricing_request }],
  ['the highest price', rangePolicy, eur(200), { ...range, price: eur(200).pricing_request }],
  [
    'a price, which the checkout needs',
    checkoutPolicy,
    eur(150),
    { ...range, checkout: 'required', price: eur(150).pricing_request },
  ],
  [
    'nothing requested, where a checkout needs a price',
    checkoutPolicy,
    {},
    { ...range, checkout: 'required' },
  ],
  [
    'nothing requested, where tests are the default',
    { ...checkoutPolicy, allow_non_billable_test: true, default_commercial_mode: 'non_billable_test' },
    {},
    { ...range, ...asTest },
  ],
  [
    'paid, where tests are the default',
    { ...checkoutPolicy, allow_non_billable_test: true, default_commercial_mode: 'non_billable_test' },
    { commercial_mode: 'paid' },
    { ...range, checkout: 'required' },
  ],
  [
    'a test, which needs no checkout',
    { ...checkoutPolicy, allow_non_billable_test: true },
    asTest,
    { ...range, ...asTest },
  ],
  ['the fixed price, requested', fixedPolicy, usd(5000), { ...fixed, price: usd(5000).pricing_request }],
  ['the fixed price, not requested', fixedPolicy, {}, { ...fixed, price: usd(5000).pricing_request }],
  [
    'a test at a fixed price',
    fixedPolicy,
    asTest,
    { ...fixed, ...asTest, checkout: 'none', price: usd(5000).pricing_request },
  ],
  ['without a channel, nothing requested', undefined, {}, builtIn],
  ['without a channel, nothing to pay', undefined, eur(0), { ...builtIn, price: eur(0).pricing_request }],
  [
    'without a channel, the highest price',
    undefined,
    usd(100_000_000),
    { ...builtIn, price: usd(100_000_000).pricing_request },
  ],
  ['without a channel, a test', undefined, asTest, { ...builtIn, ...asTest }],
])(
  "%s: requested and resolved terms are stored, with the policy's number",
  async (_, policy, requested, terms) => {
    const offer_channel_id = policy && (await bench.catalogue.channel(product_id, policy))
    const { status, body } = await bench.create({ body: { product_id, offer_channel_id, ...requested } })
    expect(status).toBe(201)
    const [row] = await bench.sql`select * from offers.offers where id = ${body.id ?? ''}`
    expect(row).toMatchObject({
      terms,
      policy_number: policy ? 1 : null,
      offer_channel_id: offer_channel_id ?? null,
      pricing_request: requested.pricing_request ?? null,
      commercial_mode: requested.commercial_mode ?? null,
    })
  },
)

test('product and channel are enough for an offer under any active policy: its terms are the policy’s', async () => {
  const offer_channel_id = await bench.catalogue.channel(product_id)
  const minimal = { product_id, offer_channel_id }
  await fc.assert(
    fc.asyncProperty(validPolicy, async policy => {
      await bench.catalogue.policy(offer_channel_id, policy)
      const { status, body } = await bench.create({ body: minimal })
      expect(status).toBe(201)
      const [row] = await bench.sql`select terms from offers.offers where id = ${body.id ?? ''}`
      const { price, ...terms } = row?.terms ?? {}
      const {
        pricing,
        default_commercial_mode: commercial_mode,
        allow_non_billable_test: _,
        ...copied
      } = policy
      const checkout = commercial_mode === 'paid' ? copied.checkout : 'none'
      expect(terms).toEqual({ ...copied, checkout, commercial_mode })
      // The policy accepts its own defaults.
      const requested = channelBacked.parse({ ...minimal, pricing_request: price, commercial_mode })
      expect(resolveTerms(requested as OfferInput, policy).problems).toEqual([])
      if (pricing.kind === 'range') expect(price).toEqual(pricing.default_price)
      else expect({ kind: 'fixed', ...price }).toEqual(pricing)
    }),
    { numRuns: 60 },
  )
})

test('a policy that refuses its own defaults is not stored: the database agrees with the contract', async () => {
  const offer_channel_id = await bench.catalogue.channel(product_id)
  let number = 0
  await fc.assert(
    fc.asyncProperty(anyPolicy, async policy => {
      const row = { offer_channel_id, number: ++number, policy }
      const stored = bench.sql`insert into offers.channel_policies ${bench.sql(row)}`.then(
        () => true,
        error => {
          expect(error).toMatchObject({ code: '23514' })
          return false
        },
      )
      expect(await stored).toBe(channelPolicy.safeParse(policy).success)
    }),
    { numRuns: sized(50, 200) },
  )
})
