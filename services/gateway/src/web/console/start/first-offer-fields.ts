import type { FieldSpec } from '../../kit/forms/field-spec.ts'
import { versionFields } from '../catalogue/version.tsx'
import type { Provider } from '../../kit/offers/terms-view.tsx'
import { notesField, seatsField } from '../offers/new/offer-fields.ts'
import { type PaidFields, paidFields, sentOf } from '../offers/new/paid-fields.ts'

interface Named {
  readonly id: string
  readonly name: string
}

export interface Found {
  readonly package?: Named | undefined
  readonly version?: { readonly id: string; readonly version: string } | undefined
  readonly product?: Named | undefined
  readonly offer?: { readonly id: string } | undefined
  readonly provider: Provider
}

export interface FirstOfferForm {
  readonly name: readonly FieldSpec[]
  readonly paid: PaidFields
  readonly version: readonly FieldSpec[]
  readonly more: readonly FieldSpec[]
  readonly all: readonly FieldSpec[]
}

/** What does not exist yet is asked for. */
export function firstOfferForm({ product, version: found, provider }: Found): FirstOfferForm {
  const name = product ? [] : [nameField]
  const paid = paidFields(provider)
  const version = found ? [] : versionFields.map(field => ({ ...field, ...(field.rows && { rows: 8 }) }))
  const more = [seatsField, notesField]
  return { name, paid, version, more, all: [...name, ...sentOf(paid), ...version, ...more] }
}

const nameField: FieldSpec = {
  name: 'name',
  label: 'Name of your software',
  placeholder: 'Acme Analytics',
}
