import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import { intervals, notesField, seatsField } from '../offers/new/offer-fields.ts'
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
      label: 'Order form (JSON Schema)',
      kind: 'json',
      rows: 14,
      flag: '--schema',
      isFile: true,
      hint: 'A JSON Schema that describes the order form. Not sure yet? Keep the default; you can publish a new version later.',
    },
  ],
  product: [
    {
      name: 'name',
      label: 'Product name',
      flag: '--name',
      hint: 'Customers see this on the offer.',
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
      hint: 'For example, 49.00. Leave blank to offer it for free.',
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
      label: 'Billing period',
      kind: 'select',
      at: 'pricing_request.interval',
      onlyWith: 'unit_amount',
      flag: '--interval',
      choices: Object.entries(intervals),
    },
    seatsField,
    notesField,
  ],
}
