/** A policy in words, line by line, so that two of them can be compared. */
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import { amountText } from '../offers/new/price-bounds.ts'

type Line = readonly [label: string, text: string]

export function policyLines(policy: ChannelPolicy): readonly Line[] {
  const { approval, checkout, support, payment_instructions, allow_non_billable_test } = policy
  return [
    ...pricingLines(policy.pricing),
    ['Approval', approval === 'manual' ? 'We approve each order' : 'Not needed'],
    ['Payment', checkout === 'required' ? 'Before the install' : 'Not asked for'],
    ['How to pay', payment_instructions ?? 'Not said'],
    ['Support', support ?? 'Not said'],
    ['Tests', allow_non_billable_test ? 'Allowed' : 'Not allowed'],
    ['An offer that says nothing is', policy.default_commercial_mode === 'paid' ? 'Paid' : 'A test'],
  ]
}

function pricingLines(pricing: ChannelPolicy['pricing']): Line[] {
  if (pricing.kind === 'fixed') return [['Price', priceOf(pricing)]]
  const { min_unit_amount, max_unit_amount, currencies, intervals, default_price } = pricing
  return [
    ['Price', `From ${amountText(min_unit_amount)} to ${amountText(max_unit_amount)}`],
    ['Currencies', currencies.join(', ').toUpperCase()],
    ['Paid for', intervals.map(interval => `a ${interval}`).join(', ')],
    ['Price, if an offer names none', priceOf(default_price)],
  ]
}

interface Price {
  readonly unit_amount: number
  readonly currency: string
  readonly interval: string
}

const priceOf = ({ unit_amount, currency, interval }: Price): string =>
  `${amountText(unit_amount)} ${currency.toUpperCase()} a ${interval}`

export interface Difference {
  readonly label: string
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Line by line, what is not the same. */
export function differences(before: ChannelPolicy | undefined, after: ChannelPolicy): Difference[] {
  const old = new Map(before ? policyLines(before) : [])
  const young = new Map(policyLines(after))
  return [...new Set([...young.keys(), ...old.keys()])]
    .map(label => ({ label, before: old.get(label), after: young.get(label) }))
    .filter(one => one.before !== one.after)
}
