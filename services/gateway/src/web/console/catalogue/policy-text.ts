import type { Price } from '@svc/contract/offers/channel-policy'
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import { money, priceText } from '../../kit/offers/terms-view.tsx'
import { amountText } from '../../kit/forms/money.ts'
import { testChoice } from '../offers/new/offer-fields.ts'
import { checkoutText } from '../offers/payment-text.ts'
import { choiceText } from '../../kit/forms/schema-fields.ts'

type Line = readonly [label: string, text: string]

export function policyLines(policy: ChannelPolicy): readonly Line[] {
  const { approval, checkout, support, payment_instructions, allow_non_billable_test } = policy
  return [
    ...pricingLines(policy.pricing),
    ['Approval', approval === 'manual' ? 'Manual – you approve each order' : 'Automatic'],
    ['Payment', checkoutText(checkout)],
    ['Payment instructions', payment_instructions ?? 'None'],
    ['Days of grace', `${policy.grace_days}`],
    ['Support', support ?? 'None'],
    ['Entitlements', entitlementsLine(policy)],
    ['Licence without a subscription', `${policy.licence_days} days`],
    ['Test offers', allow_non_billable_test ? 'Allowed' : 'Not allowed'],
    ...testByDefault(policy),
  ]
}

const entitlementsLine = ({ entitlements }: ChannelPolicy): string =>
  Object.entries(entitlements)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ') || 'None'

const testByDefault = ({ default_commercial_mode }: ChannelPolicy): Line[] =>
  default_commercial_mode === 'paid' ? [] : [['Offers by default', testChoice]]

function pricingLines(pricing: ChannelPolicy['pricing']): Line[] {
  if (pricing.kind === 'fixed') return [['Price', priceOf(pricing)]]
  const { currencies, intervals, default_price } = pricing
  return [
    ['Price', rangeText(pricing)],
    ['Currencies', currencies.join(', ').toUpperCase()],
    ['Billing period', intervals.map(interval => choiceText('intervals', interval)).join(', ')],
    ['Default price', priceOf(default_price)],
  ]
}

type Range = Extract<ChannelPolicy['pricing'], { kind: 'range' }>

function rangeText({ min_unit_amount, max_unit_amount, currencies }: Range): string {
  const [currency] = currencies
  const text = (unit_amount: number) =>
    currency && currencies.length === 1 ? money({ unit_amount, currency }) : amountText(unit_amount)
  return `${text(min_unit_amount)} to ${text(max_unit_amount)}`
}

const priceOf = (price: Price): string => priceText({ commercial_mode: 'paid', price })

export interface Difference {
  readonly label: string
  readonly before: string | undefined
  readonly after: string | undefined
}

export function differences(before: ChannelPolicy | undefined, after: ChannelPolicy): Difference[] {
  const old = new Map(before ? policyLines(before) : [])
  const young = new Map(policyLines(after))
  return [...new Set([...young.keys(), ...old.keys()])]
    .map(label => ({ label, before: old.get(label), after: young.get(label) }))
    .filter(one => one.before !== one.after)
}
