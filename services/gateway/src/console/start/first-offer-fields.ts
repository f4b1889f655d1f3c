import type { FieldSpec } from '../forms/field-spec.ts'
import { notesField, seatsField } from '../offers/new/offer-fields.ts'
import type { Step } from './first-offer-steps.ts'

/** What each step asks for. */
export const fieldsOf: Readonly<Record<Step, readonly FieldSpec[]>> = {
  package: [
    {
      name: 'name',
      label: 'Name of your software',
      flag: '--name',
      placeholder: 'Acme Analytics',
    },
  ],
  version: [
    { name: 'version', label: 'Version', placeholder: '1.0.0', flag: '--name' },
    {
      name: 'input_schema',
      label: 'What the customer fills in',
      kind: 'json',
      rows: 14,
      flag: '--schema',
      isFile: true,
      hint: 'JSON Schema of an object. Leave it as it is if you do not know yet: you publish another version later.',
    },
  ],
  product: [
    {
      name: 'name',
      label: 'Name of the product',
      flag: '--name',
      hint: 'What customers read on the offer.',
    },
  ],
  offer: [
    {
      name: 'unit_amount',
      label: 'Price',
      kind: 'money',
      at: 'pricing_request.unit_amount',
      isOptional: true,
      flag: '--price',
      hint: 'Such as 49.00. Empty: nothing is paid.',
    },
    {
      name: 'currency',
      label: 'Currency',
      kind: 'select',
      at: 'pricing_request.currency',
      onlyWith: 'unit_amount',
      flag: '--currency',
      choices: [
        ['eur', 'EUR'],
        ['usd', 'USD'],
      ],
    },
    {
      name: 'interval',
      label: 'Paid for',
      kind: 'select',
      at: 'pricing_request.interval',
      onlyWith: 'unit_amount',
      flag: '--interval',
      choices: [
        ['month', 'a month'],
        ['year', 'a year'],
      ],
    },
    seatsField,
    notesField,
  ],
}
