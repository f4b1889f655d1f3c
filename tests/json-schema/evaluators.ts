/** The two that evaluate a value against a seller's schema: the service, and the form in the customer's browser. */
import { checkValues as checkInForm } from '../../services/gateway/src/web/store/offer-form/check-values.ts'
import { planForm } from '../../services/gateway/src/web/store/offer-form/plan-form.ts'
import { checkInputSchema } from '../../services/offers/src/input-schema/check/check-input-schema.ts'
import { checkValues } from '../../services/offers/src/input-schema/evaluate/check-values.ts'

/** `unpublished` where the schema may not be published, `unchecked` where the form leaves the value to the service. */
export type Verdict = 'valid' | 'invalid' | 'unpublished' | 'unchecked'

/** What becomes of each value of a property with that schema. */
export function service(schema: unknown): (value: unknown) => Verdict {
  const checked = checkInputSchema(JSON.stringify(document(schema)))
  return value => {
    if (!checked.ok) return 'unpublished'
    return checkValues(checked.schema, { a: value }).length === 0 ? 'valid' : 'invalid'
  }
}

/** The same of the form. */
export function form(schema: unknown): (value: unknown) => Verdict {
  const { checked } = planForm(document(schema), { locked: [], kept: [], filled: [] })
  const isChecked = Object.hasOwn(Object(checked.properties), 'a')
  return value => {
    if (!isChecked) return 'unchecked'
    return checkInForm(checked, { a: value }).length === 0 ? 'valid' : 'invalid'
  }
}

const document = (schema: unknown) => ({ type: 'object', properties: { a: moved(schema, true) } })

/** The schema of a property: references from the root lead to it, and the dialect stands at the root. */
function moved(schema: unknown, isRoot = false): unknown {
  if (Array.isArray(schema)) return schema.map(one => moved(one))
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([keyword]) => !(isRoot && keyword === '$schema'))
  return Object.fromEntries(
    entries.map(([keyword, value]) => {
      const isReference = keyword === '$ref' && typeof value === 'string'
      if (isReference) return [keyword, value.replace(/^#(?=\/|$)/, '#/properties/a')]
      return [keyword, keyword === 'enum' || keyword === 'const' ? value : moved(value)]
    }),
  )
}
