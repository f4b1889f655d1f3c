// Specification, POST /offers, rule 8: the channel's active policy decides; the request only asks.
import type { ChannelPolicy } from '@svc/contract/offers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, startBench } from './in-process.ts'
import { fixedPolicy, rangePolicy } from './catalogue.ts'
import { told } from './http.ts'

type Asked = { pricing_request?: object; commercial_mode?: string }

let bench: Bench
let product_id: string
beforeAll(async () => {
  bench = await startBench()
  ;({ product_id } = await bench.catalogue.twoVersions())
})
afterAll(() => bench?.stop())

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
const priceMissing: [number, string] = [42207, 'pricing_request']

test.each<[string, ChannelPolicy, Asked, [number, string][]]>([
  ['below the range', rangePolicy, eur(99), [amount]],
  ['above the range', rangePolicy, eur(201), [amount]],
  ['another currency', rangePolicy, eur(100, { currency: 'usd' }), [currency]],
  ['another interval', rangePolicy, eur(100, { interval: 'year' }), [interval]],
  ['nothing right', rangePolicy, { ...usd(1), ...asTest }, [currency, interval, amount, mode]],
  ['below the fixed price', fixedPolicy, usd(4999), [amount]],
  ['above the fixed price', fixedPolicy, usd(5001), [amount]],
  ['the fixed amount of another kind', fixedPolicy, eur(5000), [currency, interval]],
  ['no price where a checkout needs one', checkoutPolicy, {}, [priceMissing]],
  [
    'paid without a price where a checkout needs one',
    checkoutPolicy,
    { commercial_mode: 'paid' },
    [priceMissing],
  ],
  ['a test where none is allowed', rangePolicy, asTest, [mode]],
  ['a test where none is allowed, at a fixed price', refuses, asTest, [mode]],
])('%s is refused, field by field', async (_, policy, asked, problems) => {
  const offer_channel_id = await bench.catalogue.channel(product_id, policy)
  const answer = await bench.create({ body: { product_id, offer_channel_id, ...asked } })
  expect(told(answer)).toEqual([422, ...problems])
})

const range = { approval: 'manual', checkout: 'none', support: 'gold', commercial_mode: 'paid', price: null }
const fixed = { approval: 'automatic', checkout: 'required', support: null, commercial_mode: 'paid' }
const builtIn = { ...fixed, checkout: 'none', price: null }

test.each<[string, ChannelPolicy | undefined, Asked, object]>([
  ['nothing asked', rangePolicy, {}, range],
  ['the lowest price', rangePolicy, eur(100), { ...range, price: eur(100).pricing_request }],
  ['the highest price', rangePolicy, eur(200), { ...range, price: eur(200).pricing_request }],
  [
    'a price where a checkout needs one',
    checkoutPolicy,
    eur(150),
    { ...range, checkout: 'required', price: eur(150).pricing_request },
  ],
  [
    'a test, which needs no checkout and no price',
    { ...checkoutPolicy, allow_non_billable_test: true },
    asTest,
    { ...range, ...asTest },
  ],
  ['the fixed price, asked for', fixedPolicy, usd(5000), { ...fixed, price: usd(5000).pricing_request }],
  ['the fixed price, not asked for', fixedPolicy, {}, { ...fixed, price: usd(5000).pricing_request }],
  [
    'a test at a fixed price',
    fixedPolicy,
    asTest,
    { ...fixed, ...asTest, checkout: 'none', price: usd(5000).pricing_request },
  ],
  ['without a channel, nothing asked', undefined, {}, builtIn],
  ['without a channel, nothing to pay', undefined, eur(0), { ...builtIn, price: eur(0).pricing_request }],
  [
    'without a channel, the highest price',
    undefined,
    usd(100_000_000),
    { ...builtIn, price: usd(100_000_000).pricing_request },
  ],
  ['without a channel, a test', undefined, asTest, { ...builtIn, ...asTest }],
])(
  '%s: asked and resolved terms are stored, and the number of the policy',
  async (_, policy, asked, terms) => {
    const offer_channel_id = policy && (await bench.catalogue.channel(product_id, policy))
    const { status, body } = await bench.create({ body: { product_id, offer_channel_id, ...asked } })
    expect(status).toBe(201)
    const [row] = await bench.sql`select * from offers.offers where id = ${body.id ?? ''}`
    expect(row).toMatchObject({
      terms,
      policy_number: policy ? 1 : null,
      offer_channel_id: offer_channel_id ?? null,
      pricing_request: asked.pricing_request ?? null,
      commercial_mode: asked.commercial_mode ?? null,
    })
  },
)
