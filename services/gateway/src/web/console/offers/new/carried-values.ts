/** Transfers values to a form with another version: each goes to the same property. */
import { labelOf } from '../../../kit/offers/offer-form-data.ts'
import { type FieldValues, isFilled, namesOf } from '../../../kit/forms/field-spec.ts'
import type { Chosen } from './choices.ts'
import type { OfferForm } from './offer-form.ts'
import type { SchemaField } from './schema-fields.ts'

export const propertiesOf = ({ schema }: OfferForm): string =>
  JSON.stringify((schema ?? []).map((field, at) => [field.property, kindOf(field, at)]))

const kindOf = ({ parts }: SchemaField, at: number): string =>
  parts
    .map(
      ({ name, kind, isSecret }) => `${name.slice(`value.${at}`.length)} ${isSecret ? 'secret ' : ''}${kind}`,
    )
    .join()

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
    const own = `value.${at}`
    const typed = Object.entries(values).filter(
      ([name, text]) => (name === own || name.startsWith(`${own}.`)) && isFilled(text),
    )
    if (typed.length === 0) continue
    const to = form.schema?.findIndex(one => one.property === property) ?? -1
    const field = form.schema?.[to]
    const moved = typed.map(([name, text]) => [`value.${to}${name.slice(own.length)}`, text] as const)
    if (field && kindOf(field, to) === kind && canHold(field, moved)) {
      Object.assign(kept, Object.fromEntries(moved))
      if (values[`lock.${at}`] === 'on') kept[field.lock.name] = 'on'
    } else lost.push(labelOf(version.input_schema, [property]))
  }
  return { values: kept, lost }
}

const canHold = ({ parts }: SchemaField, typed: readonly (readonly [string, string])[]): boolean =>
  typed.every(([name, text]) => {
    const part = parts.find(one => namesOf(one).includes(name))
    const isChosen = part?.kind === 'select' || part?.kind === 'value-of'
    return part && (!isChosen || part.choices?.some(([value]) => value === text))
  })

function readProperties(text = ''): [property: string, kind: string][] {
  try {
    const read: unknown = JSON.parse(text)
    return Array.isArray(read) ? read.map(one => [String(one?.[0]), String(one?.[1])]) : []
  } catch {
    return []
  }
}
