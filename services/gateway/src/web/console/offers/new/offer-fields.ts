/** The fields of a new offer. */
import { priceBounds } from './price-bounds.ts'
import type { FieldSpec } from '../../../kit/forms/field-spec.ts'
import type { Chosen } from './choices.ts'

export const notesField: FieldSpec = {
  name: 'notes',
  label: 'Message to customer',
  kind: 'textarea',
  rows: 3,
  isOptional: true,
  flag: '--notes',
}

export const seatsField: FieldSpec = {
  name: 'max_uses',
  label: 'Seats',
  kind: 'number',
  isOptional: true,
  empty: null,
  min: 1,
  max: 10_000,
  flag: '--max-uses',
  emptyFlag: 'unlimited',
  hint: 'How many orders can be completed. Leave blank for no limit.',
}

export const forWhom: readonly FieldSpec[] = [
  {
    name: 'allowed_emails',
    label: 'Allowed email addresses',
    kind: 'lines',
    rows: 3,
    isOptional: true,
    empty: [],
    flag: '--allow-email',
    hint: 'Only these people can order. One per line. Leave blank to let anyone with the link order.',
  },
  {
    name: 'customer_name',
    label: 'Customer name',
    at: 'customer.display_name',
    isOptional: true,
    flag: '--customer-name',
    hint: 'Only your team sees this.',
  },
  {
    name: 'customer_id',
    label: 'External customer ID',
    at: 'customer.external_id',
    isOptional: true,
    flag: '--customer-id',
    hint: 'Only your team sees this. For example, their ID in your CRM.',
  },
  notesField,
  {
    name: 'internal_note',
    label: 'Internal note',
    kind: 'textarea',
    rows: 2,
    isOptional: true,
    flag: '--internal-note',
    hint: 'Only your team sees this.',
  },
]

export const limits: readonly FieldSpec[] = [
  seatsField,
  {
    name: 'expires_at',
    label: 'Expires (UTC)',
    kind: 'moment',
    isOptional: true,
    flag: '--expires-at',
    hint: 'Leave blank to keep it open indefinitely.',
  },
  {
    name: 'order_ttl_minutes',
    label: 'Seat hold (minutes)',
    kind: 'number',
    min: 1,
    max: 1440,
    flag: '--order-ttl-minutes',
    hint: 'How long an open order keeps its seat, up to 1,440 (24 hours). Allow time for approval and payment.',
  },
  {
    name: 'allow_api_tokens',
    label: 'Allow orders by API token',
    kind: 'check',
    flag: '--allow-api-tokens',
    hint: 'Can’t be combined with allowed email addresses.',
  },
]

export const intervals = { month: 'Monthly', year: 'Yearly' } as const

export function priceFields({ policy, ids }: Chosen): readonly FieldSpec[] {
  const terms = policy?.policy
  if (terms?.pricing.kind === 'fixed') return modeField(terms.allow_non_billable_test)
  const range = terms?.pricing
  const currencies = range?.currencies ?? (['eur', 'usd'] as const)
  const among = range?.intervals ?? (['month', 'year'] as const)
  const withPrice = { onlyWith: 'unit_amount', isOptional: true } as const
  return [
    {
      name: 'unit_amount',
      label: 'Price',
      kind: 'money',
      at: 'pricing_request.unit_amount',
      isOptional: true,
      flag: '--price',
      hint: range ? priceBounds(range) : 'For example, 49.00. Leave blank to offer it for free.',
      ...(range && { min: range.min_unit_amount, max: range.max_unit_amount }),
    },
    {
      ...withPrice,
      name: 'currency',
      label: 'Currency',
      kind: 'select',
      at: 'pricing_request.currency',
      flag: '--currency',
      choices: currencies.map(currency => [currency, currency.toUpperCase()]),
    },
    {
      ...withPrice,
      name: 'interval',
      label: 'Billing period',
      kind: 'select',
      at: 'pricing_request.interval',
      flag: '--interval',
      choices: among.map(interval => [interval, intervals[interval]]),
    },
    ...modeField(terms ? terms.allow_non_billable_test : true, !terms),
    ...(ids.offer_channel_id
      ? []
      : [
          {
            name: 'tier',
            label: 'Tier',
            isOptional: true,
            flag: '--tier',
            hint: 'For your reference only.',
          },
        ]),
  ]
}

/** @param mayLackPrice whether an offer without a price is free: one with a policy gets the price of that */
const modeField = (mayTest: boolean, mayLackPrice = false): FieldSpec[] =>
  mayTest
    ? [
        {
          name: 'commercial_mode',
          label: 'Billing mode',
          kind: 'select',
          isOptional: true,
          flag: '--mode',
          ...(mayLackPrice && { hint: 'Without a price the offer is free, in “Paid” mode as well.' }),
          choices: [
            ['', 'Default'],
            ['paid', 'Paid'],
            ['non_billable_test', 'Test (not charged)'],
          ],
        },
      ]
    : []
