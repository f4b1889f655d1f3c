import type { FieldSpec } from '../../../kit/forms/field-spec.ts'
import type { Chosen } from './choices.ts'
import { forWhom, limits, priceFields } from './offer-fields.ts'
import { schemaFields } from './schema-fields.ts'

export interface OfferForm {
  readonly price: readonly FieldSpec[]
  readonly schema: ReturnType<typeof schemaFields>
  readonly all: readonly FieldSpec[]
}

export function formOf(chosen: Chosen): OfferForm {
  const price = priceFields(chosen)
  const schema = schemaFields(chosen.version.input_schema)
  return {
    price,
    schema,
    all: [...price, ...limits, ...forWhom, ...(schema ?? []).flatMap(({ parts, lock }) => [...parts, lock])],
  }
}
