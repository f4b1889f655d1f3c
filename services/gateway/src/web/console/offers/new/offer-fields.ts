import type { Operation } from '@svc/contract/core/operation'
import { offers } from '@svc/contract/offers/offers'
import { priceBounds } from './price-bounds.ts'
import type { ChannelPolicy } from '@svc/contract/offers/offers'
import type { FieldSpec } from '../../../kit/forms/field-spec.ts'
import { formField, formFields } from '../../../kit/forms/schema-fields.ts'

const { create_offer } = offers.operations

/** Fields that can be corrected later, of either operation. */
const correctable = (operation: Operation) => ({
  emails: formField(operation, {
    name: 'allowed_emails',
    label: 'Allowed email addresses',
    rows: 3,
    isOptional: true,
    empty: [],
    hint: 'Only these people can order. One per line. Leave blank to let anyone with the link order.',
  }),
  customer: formFields(operation, [
    {
      name: 'customer_name',
      label: 'Customer name',
      at: 'customer.display_name',
      isOptional: true,
      hint: 'Only your team sees this.',
    },
    {
      name: 'customer_id',
      label: 'External customer ID',
      at: 'customer.external_id',
      isOptional: true,
      hint: 'Only your team sees this. For example, their ID in your CRM.',
    },
  ]),
  notes: formField(operation, {
    name: 'notes',
    label: 'Message to customer',
    kind: 'textarea',
    rows: 3,
  }),
  internalNote: formField(operation, {
    name: 'internal_note',
    label: 'Internal note',
    kind: 'textarea',
    rows: 2,
    hint: 'Only your team sees this.',
  }),
  seats: formField(operation, {
    name: 'max_uses',
    label: 'Number of orders',
    emptyFlag: 'unlimited',
    hint: 'How many orders can be completed. Leave blank for no limit.',
  }),
  expires: formField(operation, {
    name: 'expires_at',
    label: 'Expires (UTC)',
    hint: 'Leave blank to keep it open indefinitely.',
  }),
})

const created = correctable(create_offer)
export const { notes: notesField, seats: seatsField } = created
export const forWhom = [created.emails, ...created.customer, created.notes, created.internalNote]
export const limits = [
  created.seats,
  created.expires,
  ...formFields(create_offer, [
    {
      name: 'order_ttl_minutes',
      label: 'Time to complete an order (minutes)',
      isOptional: false,
      hint: 'How long an open order stays reserved, up to 24 hours. Allow time for approval and payment.',
    },
    {
      name: 'allow_api_tokens',
      label: 'Allow API orders',
      hint: 'Can’t be combined with allowed email addresses.',
    },
  ]),
]

const corrected = correctable(offers.operations.update_offer)
export const customerFields = corrected.customer
export const correctionFields = [
  corrected.seats,
  corrected.expires,
  corrected.emails,
  ...corrected.customer,
  corrected.notes,
  corrected.internalNote,
]

const withPrice = { onlyWith: 'unit_amount', isOptional: true } as const
export const currencyField = formField(create_offer, {
  ...withPrice,
  name: 'currency',
  label: 'Currency',
  at: 'pricing_request.currency',
})
export const intervalField = formField(create_offer, {
  ...withPrice,
  name: 'interval',
  label: 'Billing period',
  at: 'pricing_request.interval',
})
export const amountField = formField(create_offer, {
  name: 'unit_amount',
  label: 'Price',
  at: 'pricing_request.unit_amount',
  isOptional: true,
})

const among = (field: FieldSpec, allowed: readonly string[]): FieldSpec => ({
  ...field,
  choices: field.choices?.filter(([value]) => allowed.includes(value)) ?? [],
})

/** What an offer may choose of saved terms. */
export function priceFields({ pricing, allow_non_billable_test }: ChannelPolicy): readonly FieldSpec[] {
  const test = allow_non_billable_test ? [testField] : []
  if (pricing.kind === 'fixed') return test
  return [
    {
      ...amountField,
      ...{ hint: priceBounds(pricing), min: pricing.min_unit_amount, max: pricing.max_unit_amount },
    },
    among(currencyField, pricing.currencies),
    among(intervalField, pricing.intervals),
    ...test,
  ]
}

export const testChoice = 'Not charged: tests'
const testField = formField(create_offer, {
  name: 'commercial_mode',
  label: 'Charge',
  isOptional: false,
  labels: { paid: 'As the terms say', non_billable_test: testChoice },
})
