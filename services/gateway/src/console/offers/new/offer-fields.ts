/** The fields of a new offer. */
import { priceBounds } from './price-bounds.ts'
import type { FieldSpec } from '../../forms/field-spec.ts'
import type { Chosen } from './choices.ts'

export const notesField: FieldSpec = {
  name: 'notes',
  label: 'Note for the customer',
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
  hint: 'How many orders can be completed. Empty: no limit.',
}

export const forWhom: readonly FieldSpec[] = [
  {
    name: 'allowed_emails',
    label: 'Email addresses',
    kind: 'lines',
    rows: 3,
    isOptional: true,
    empty: [],
    flag: '--allow-email',
    hint: 'Who may order, one on each line. Empty: everybody who has the link.',
  },
  {
    name: 'customer_name',
    label: 'Customer',
    at: 'customer.display_name',
    isOptional: true,
    flag: '--customer-name',
    hint: 'What you call them. They never see it.',
  },
  {
    name: 'customer_id',
    label: 'Customer’s id in your own system',
    at: 'customer.external_id',
    isOptional: true,
    flag: '--customer-id',
  },
  notesField,
  {
    name: 'internal_note',
    label: 'Note for yourselves',
    kind: 'textarea',
    rows: 2,
    isOptional: true,
    flag: '--internal-note',
    hint: 'Customers never see it.',
  },
]

export const limits: readonly FieldSpec[] = [
  seatsField,
  {
    name: 'expires_at',
    label: 'Ends at (UTC)',
    kind: 'moment',
    isOptional: true,
    flag: '--expires-at',
    hint: 'Empty: it does not end.',
  },
  {
    name: 'order_ttl_minutes',
    label: 'An order holds its seat for (minutes)',
    kind: 'number',
    min: 1,
    max: 1440,
    flag: '--order-ttl-minutes',
    hint: 'At most 1440, a day. Where you approve orders or wait for payments, allow as long as that may take.',
  },
  {
    name: 'allow_api_tokens',
    label: 'API tokens of other workspaces may order',
    kind: 'check',
    flag: '--allow-api-tokens',
    hint: 'Only where no email addresses are given.',
  },
]

const intervals = { month: 'a month', year: 'a year' } as const

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
      hint: range ? priceBounds(range) : 'Such as 49.00. Empty: nothing is paid.',
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
      label: 'Paid for',
      kind: 'select',
      at: 'pricing_request.interval',
      flag: '--interval',
      choices: among.map(interval => [interval, intervals[interval]]),
    },
    ...modeField(terms ? terms.allow_non_billable_test : true),
    ...(ids.offer_channel_id
      ? []
      : [
          {
            name: 'tier',
            label: 'Tier',
            isOptional: true,
            flag: '--tier',
            hint: 'For your information only.',
          },
        ]),
  ]
}

const modeField = (mayTest: boolean): FieldSpec[] =>
  mayTest
    ? [
        {
          name: 'commercial_mode',
          label: 'Mode',
          kind: 'select',
          isOptional: true,
          flag: '--mode',
          choices: [
            ['', 'As the terms say'],
            ['paid', 'Paid'],
            ['non_billable_test', 'Test: nothing is paid'],
          ],
        },
      ]
    : []
