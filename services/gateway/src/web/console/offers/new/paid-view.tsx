import type { Problems } from '../../../kit/forms/form-fields.ts'
import type { FieldValues } from '../../../kit/forms/field-spec.ts'
import { FieldOf, Fields } from '../../../kit/forms/fields.tsx'
import type { PaidFields } from './paid-fields.ts'

interface PaidProps {
  readonly fields: PaidFields
  readonly values: FieldValues
  readonly problems: Problems | undefined
}

/** The stylesheet shows what an answer asks for. */
export function Paid({ fields: { paid, price, instructions, approval }, values, problems }: PaidProps) {
  const shown = { values, problems }
  const canWait = (approval.choices?.length ?? 0) > 1
  return (
    <div class="paid column-of-fields">
      <FieldOf spec={paid} values={values} problem={problems?.[paid.name]} />
      <div class="if-priced row-of-fields">
        <Fields fields={price} {...shown} />
      </div>
      <div class="if-transfer">
        <Fields fields={[instructions]} {...shown} />
        <p class="warning">Without instructions customers aren’t told how to pay.</p>
      </div>
      {canWait ? (
        <Fields fields={[approval]} {...shown} />
      ) : (
        <input type="hidden" name={approval.name} value="automatic" />
      )}
    </div>
  )
}
