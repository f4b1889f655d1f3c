import type { ChannelPolicy } from '@svc/contract/offers/offers'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { typedAmount } from '../../kit/forms/money.ts'

const intervals = [
  ['month', 'Monthly'],
  ['year', 'Yearly'],
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
      ['automatic', 'Automatic'],
      ['manual', 'Manual – you approve each order'],
    ],
  },
  {
    name: 'checkout',
    label: 'Payment',
    kind: 'select',
    at: 'policy.checkout',
    choices: [
      ['none', 'Not collected'],
      ['required', 'Required before install'],
    ],
  },
  {
    name: 'payment_instructions',
    label: 'Payment instructions',
    kind: 'textarea',
    rows: 4,
    isOptional: true,
    empty: null,
    at: 'policy.payment_instructions',
    hint: 'Shown on the order and in the email, with the payment reference, when you confirm payments yourself.',
  },
  {
    name: 'support',
    label: 'Support',
    isOptional: true,
    empty: null,
    at: 'policy.support',
    hint: 'Describe the support that’s included.',
  },
  {
    name: 'allow_non_billable_test',
    label: 'Allow test offers (not charged)',
    kind: 'check',
    at: 'policy.allow_non_billable_test',
  },
  {
    name: 'default_commercial_mode',
    label: 'Default billing mode',
    kind: 'select',
    at: 'policy.default_commercial_mode',
    choices: [
      ['paid', 'Paid'],
      ['non_billable_test', 'Test'],
    ],
  },
]

const money = (name: string, label: string, at: string, hint?: string): FieldSpec => ({
  ...{ name, label, at, hint },
  kind: 'money',
})

const fixed: readonly FieldSpec[] = [
  money('unit_amount', 'Price', 'policy.pricing.unit_amount', 'For example, 49.00.'),
  { name: 'currency', label: 'Currency', kind: 'select', at: 'policy.pricing.currency', choices: currencies },
  {
    name: 'interval',
    label: 'Billing period',
    kind: 'select',
    at: 'policy.pricing.interval',
    choices: intervals,
  },
]

const range: readonly FieldSpec[] = [
  money('min_unit_amount', 'Minimum price', 'policy.pricing.min_unit_amount', 'For example, 10.00.'),
  money('max_unit_amount', 'Maximum price', 'policy.pricing.max_unit_amount'),
  {
    name: 'currencies',
    label: 'Currencies',
    kind: 'checks',
    at: 'policy.pricing.currencies',
    choices: currencies,
  },
  {
    name: 'intervals',
    label: 'Billing periods',
    kind: 'checks',
    at: 'policy.pricing.intervals',
    choices: intervals,
  },
  money('default_amount', 'Default price', 'policy.pricing.default_price.unit_amount'),
  {
    name: 'default_currency',
    label: 'Default currency',
    kind: 'select',
    at: 'policy.pricing.default_price.currency',
    choices: currencies,
  },
  {
    name: 'default_interval',
    label: 'Default billing period',
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
    return { ...firstPolicy, ...common, unit_amount: typedAmount(unit_amount), currency, interval }
  }
  const { default_price } = pricing
  return {
    ...common,
    currency: default_price.currency,
    interval: default_price.interval,
    min_unit_amount: typedAmount(pricing.min_unit_amount),
    max_unit_amount: typedAmount(pricing.max_unit_amount),
    default_amount: typedAmount(default_price.unit_amount),
    default_currency: default_price.currency,
    default_interval: default_price.interval,
    ...Object.fromEntries(pricing.currencies.map(one => [`currencies.${one}`, 'on'])),
    ...Object.fromEntries(pricing.intervals.map(one => [`intervals.${one}`, 'on'])),
  }
}
