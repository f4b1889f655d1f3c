/** Transfers values to a form with another version: each goes to the same property. */
import { labelOf } from '../../../kit/offers/offer-form-data.ts'
import type { FieldSpec, FieldValues } from '../../../kit/forms/field-spec.ts'
import type { Chosen } from './choices.ts'
import type { OfferForm } from './offer-form.ts'
import { propertyOf } from './schema-fields.ts'

export const propertiesOf = ({ schema }: OfferForm): string =>
  JSON.stringify((schema ?? []).map(field => [propertyOf(field), kindOf(field[0])]))

const kindOf = ({ kind, isSecret }: FieldSpec): string => (isSecret ? `secret ${kind}` : `${kind}`)

interface Carried {
  readonly values: FieldValues
  readonly lost: readonly string[]
}

export function carriedOver(values: FieldValues, form: OfferForm, { version }: Chosen): Carried {
  const kept: Record<string, string> = Object.fromEntries(
    Object.entries(values).filter(([name]) => !/^(value|lock)\./.test(name)),
  )
  const lost: string[] = []
  for (const [at, [property, kind]] of readProperties(values.properties).entries()) {
    const typed = values[`value.${at}`] ?? ''
    if (typed.trim() === '') continue
    const field = form.schema?.find(one => propertyOf(one) === property)
    if (field && kindOf(field[0]) === kind && canHold(field[0], typed)) {
      kept[field[0].name] = typed
      if (values[`lock.${at}`] === 'on') kept[field[1].name] = 'on'
    } else lost.push(labelOf(version.input_schema, [property]))
  }
  return { values: kept, lost }
}

const canHold = ({ kind, choices = [] }: FieldSpec, typed: string): boolean =>
  (kind !== 'select' && kind !== 'value-of') || choices.some(([value]) => value === typed)

function readProperties(text = ''): [property: string, kind: string][] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.map(one => [String(one?.[0]), String(one?.[1])]) : []
  } catch {
    return []
  }
}
