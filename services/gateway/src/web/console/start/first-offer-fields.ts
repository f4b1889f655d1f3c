import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import {
  amountField,
  currencyField,
  intervalField,
  notesField,
  seatsField,
} from '../offers/new/offer-fields.ts'
import type { Step } from './first-offer-steps.ts'

export const fieldsOf: Readonly<Record<Step, readonly FieldSpec[]>> = {
  package: [
    {
      name: 'name',
      label: 'Name of your software',
      placeholder: 'Acme Analytics',
    },
  ],
  version: [
    { name: 'version', label: 'Version', placeholder: '1.0.0' },
    {
      name: 'input_schema',
      label: 'Order form (JSON Schema)',
      kind: 'json',
      rows: 14,
      isFile: true,
      hint: 'A JSON Schema that describes the order form. Not sure yet? Keep the default; you can publish a new version later.',
    },
  ],
  product: [
    {
      name: 'name',
      label: 'Product name',
      hint: 'Customers see this on the offer.',
    },
  ],
  offer: [
    amountField,
    // Chosen already: it stays with the price.
    { ...currencyField, isOptional: false },
    { ...intervalField, isOptional: false },
    seatsField,
    notesField,
  ],
}
