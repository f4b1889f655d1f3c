import { type ChannelPolicy, offers } from '@svc/contract/offers/offers'
import type { FieldSpec, FieldValues } from '../../kit/forms/field-spec.ts'
import { typedAmount } from '../../kit/forms/money.ts'
import { testChoice } from '../offers/new/offer-fields.ts'
import { checkoutText } from '../offers/payment-text.ts'
import { formField, type OwnField } from '../../kit/forms/schema-fields.ts'

type PolicyField = Omit<OwnField, 'at'> & { readonly at?: string }

const general: readonly PolicyField[] = [
  { name: 'approval', label: 'Approval', labels: { manual: 'Manual – you approve each order' } },
  {
    name: 'checkout',
    label: 'Payment',
    labels: { none: checkoutText('none'), required: checkoutText('required') },
  },
  {
    name: 'payment_instructions',
    label: 'Payment instructions',
    kind: 'textarea',
    rows: 4,
    hint: 'Shown on the order and in the email, with the payment reference, when you confirm payments yourself. Without them customers aren’t told how to pay.',
  },
  {
    name: 'grace_days',
    label: 'Days of grace',
    hint: 'How long an install goes on when the next payment is late: 0 to 60 days.',
  },
  {
    name: 'support',
    label: 'Support',
    hint: 'A sentence for customers. For example, “Email, replies within one working day”.',
  },
  {
    name: 'entitlements',
    label: 'Entitlements',
    rows: 4,
    hint: 'What licences tell your program, as JSON. For example, {"plan": "team", "seats": 25}.',
  },
  { name: 'licence_days', label: 'Days of a licence without a subscription' },
  { name: 'allow_non_billable_test', label: 'Allow test offers (not charged)' },
]

/** Asked only where it is so already: what is paid follows from the payment. */
const testByDefault: PolicyField = {
  name: 'default_commercial_mode',
  label: 'Offers by default',
  isOptional: false,
  labels: { paid: 'As the terms say', non_billable_test: testChoice },
}

const fixed: readonly PolicyField[] = [
  { name: 'unit_amount', label: 'Price', hint: 'For example, 49.00.' },
  { name: 'currency', label: 'Currency' },
  { name: 'interval', label: 'Billing period' },
]

const range: readonly PolicyField[] = [
  { name: 'min_unit_amount', label: 'Minimum price', hint: 'For example, 10.00.' },
  { name: 'max_unit_amount', label: 'Maximum price' },
  { name: 'currencies', label: 'Currencies' },
  { name: 'intervals', label: 'Billing periods' },
  { name: 'default_amount', label: 'Default price', at: 'default_price.unit_amount' },
  { name: 'default_currency', label: 'Default currency', at: 'default_price.currency' },
  { name: 'default_interval', label: 'Default billing period', at: 'default_price.interval' },
]

const fieldsAt = (place: string, own: readonly PolicyField[]): FieldSpec[] =>
  own.map(({ at, ...field }) =>
    formField(offers.operations.create_channel_policy, { ...field, at: `${place}.${at ?? field.name}` }),
  )

export type PricingKind = ChannelPolicy['pricing']['kind']

export const policyFields = (kind: PricingKind, { default_commercial_mode }: FieldValues): FieldSpec[] => [
  ...fieldsAt('policy.pricing', kind === 'fixed' ? fixed : range),
  ...fieldsAt('policy', [...general, ...(default_commercial_mode ? [testByDefault] : [])]),
]

export const firstPolicy: FieldValues = {
  approval: 'automatic',
  checkout: 'none',
  licence_days: '30',
  currency: 'eur',
  interval: 'month',
  default_currency: 'eur',
  default_interval: 'month',
  'currencies.eur': 'on',
  'intervals.month': 'on',
}

const entitlementsText = ({ entitlements }: ChannelPolicy): string =>
  Object.keys(entitlements).length > 0 ? JSON.stringify(entitlements, null, 2) : ''

export function valuesOfPolicy(policy: ChannelPolicy): FieldValues {
  const { pricing } = policy
  const common = {
    approval: policy.approval,
    checkout: policy.checkout,
    support: policy.support ?? '',
    grace_days: `${policy.grace_days}`,
    payment_instructions: policy.payment_instructions ?? '',
    entitlements: entitlementsText(policy),
    licence_days: String(policy.licence_days),
    allow_non_billable_test: policy.allow_non_billable_test ? 'on' : '',
    ...(policy.default_commercial_mode === 'non_billable_test' && {
      default_commercial_mode: policy.default_commercial_mode,
    }),
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
