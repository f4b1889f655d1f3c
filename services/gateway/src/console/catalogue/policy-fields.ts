/** The policy of a channel as fields of a form, and back. */
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import type { FieldSpec, FieldValues } from '../forms/field-spec.ts'

const intervals = [
  ['month', 'a month'],
  ['year', 'a year'],
] as const
const currencies = [
  ['eur', 'EUR'],
  ['usd', 'USD'],
] as const

const general: readonly FieldSpec[] = [
  {
    name: 'approval',
    label: 'Approval',
    kind: 'select',
    at: 'policy.approval',
    choices: [
      ['automatic', 'Not needed'],
      ['manual', 'We approve each order'],
    ],
  },
  {
    name: 'checkout',
    label: 'Payment',
    kind: 'select',
    at: 'policy.checkout',
    choices: [
      ['none', 'Not asked for'],
      ['required', 'Before the install'],
    ],
  },
  {
    name: 'payment_instructions',
    label: 'How to pay',
    kind: 'textarea',
    rows: 4,
    isOptional: true,
    empty: null,
    at: 'policy.payment_instructions',
    hint: 'Where you confirm payments yourselves: shown on the order and mailed, with its reference.',
  },
  {
    name: 'support',
    label: 'Support',
    isOptional: true,
    empty: null,
    at: 'policy.support',
    hint: 'What customers get, in words.',
  },
  {
    name: 'allow_non_billable_test',
    label: 'Offers may be tests, for which nothing is paid',
    kind: 'check',
    at: 'policy.allow_non_billable_test',
  },
  {
    name: 'default_commercial_mode',
    label: 'An offer that says nothing is',
    kind: 'select',
    at: 'policy.default_commercial_mode',
    choices: [
      ['paid', 'Paid'],
      ['non_billable_test', 'A test'],
    ],
  },
]

const money = (name: string, label: string, at: string, hint?: string): FieldSpec => ({
  ...{ name, label, at, hint },
  kind: 'money',
})

const fixed: readonly FieldSpec[] = [
  money('unit_amount', 'Price', 'policy.pricing.unit_amount', 'Such as 49.00.'),
  { name: 'currency', label: 'Currency', kind: 'select', at: 'policy.pricing.currency', choices: currencies },
  { name: 'interval', label: 'Paid for', kind: 'select', at: 'policy.pricing.interval', choices: intervals },
]

const range: readonly FieldSpec[] = [
  money('min_unit_amount', 'The lowest price', 'policy.pricing.min_unit_amount', 'Such as 10.00.'),
  money('max_unit_amount', 'The highest price', 'policy.pricing.max_unit_amount'),
  {
    name: 'currencies',
    label: 'Currencies',
    kind: 'checks',
    at: 'policy.pricing.currencies',
    choices: currencies,
  },
  {
    name: 'intervals',
    label: 'Paid for',
    kind: 'checks',
    at: 'policy.pricing.intervals',
    choices: intervals,
  },
  money('default_amount', 'Price of an offer that names none', 'policy.pricing.default_price.unit_amount'),
  {
    name: 'default_currency',
    label: 'Its currency',
    kind: 'select',
    at: 'policy.pricing.default_price.currency',
    choices: currencies,
  },
  {
    name: 'default_interval',
    label: 'It is paid for',
    kind: 'select',
    at: 'policy.pricing.default_price.interval',
    choices: intervals,
  },
]

export type PricingKind = ChannelPolicy['pricing']['kind']

export const policyFields = (kind: PricingKind): readonly FieldSpec[] => [
  ...(kind === 'fixed' ? fixed : range),
  ...general,
]

export const firstPolicy: FieldValues = {
  approval: 'automatic',
  checkout: 'none',
  default_commercial_mode: 'paid',
  currency: 'eur',
  interval: 'month',
  default_currency: 'eur',
  default_interval: 'month',
  'currencies.eur': 'on',
  'intervals.month': 'on',
}

/** The fields as a policy has them. */
export function valuesOfPolicy(policy: ChannelPolicy): FieldValues {
  const { pricing } = policy
  const common = {
    approval: policy.approval,
    checkout: policy.checkout,
    support: policy.support ?? '',
    payment_instructions: policy.payment_instructions ?? '',
    allow_non_billable_test: policy.allow_non_billable_test ? 'on' : '',
    default_commercial_mode: policy.default_commercial_mode,
  }
  if (pricing.kind === 'fixed') {
    const { unit_amount, currency, interval } = pricing
    return { ...firstPolicy, ...common, unit_amount: typed(unit_amount), currency, interval }
  }
  const { default_price } = pricing
  return {
    ...common,
    currency: default_price.currency,
    interval: default_price.interval,
    min_unit_amount: typed(pricing.min_unit_amount),
    max_unit_amount: typed(pricing.max_unit_amount),
    default_amount: typed(default_price.unit_amount),
    default_currency: default_price.currency,
    default_interval: default_price.interval,
    ...Object.fromEntries(pricing.currencies.map(one => [`currencies.${one}`, 'on'])),
    ...Object.fromEntries(pricing.intervals.map(one => [`intervals.${one}`, 'on'])),
  }
}

const typed = (amount: number): string => (amount / 100).toFixed(2)
