import type { FieldSpec } from '../../../kit/forms/field-spec.ts'
import type { Chosen } from './choices.ts'
import { forWhom, limits, priceFields } from './offer-fields.ts'
import { type PaidFields, paidFields, sentOf } from './paid-fields.ts'
import { schemaFields } from './schema-fields.ts'

export interface OfferForm {
  /** Undefined: the offer has saved terms, of which it may choose a price. */
  readonly paid: PaidFields | undefined
  readonly price: readonly FieldSpec[]
  readonly schema: ReturnType<typeof schemaFields>
  readonly all: readonly FieldSpec[]
  /** For the lines for a terminal. */
  readonly lines: readonly FieldSpec[]
}

export function formOf({ ids, channel, policy, version, provider }: Chosen): OfferForm {
  const paid = channel ? undefined : paidFields(provider, ids.product_id !== undefined)
  const price = policy ? priceFields(policy.policy) : []
  const schema = schemaFields(version.input_schema)
  const others = [...limits, ...forWhom, ...(schema ?? []).flatMap(({ parts, lock }) => [...parts, lock])]
  return {
    ...{ paid, price, schema },
    all: [...(paid ? sentOf(paid) : price), ...others],
    lines: [...(paid?.lines ?? price), ...others],
  }
}
