/**
 * Seals secret field values before they are stored: properties of an input schema that contain `format: password`.
 * Stored values then have `{"$sealed": "v1.…"}`, and answers `{"$sealed": true}`.
 */
import { hiddenValue, isSealed } from '@svc/contract/core/sealed-value'
import { type Seal, sealedWith } from '@svc/runtime/seal'

export type Values = Record<string, unknown>
export type OfferedValues = Record<string, { readonly value: unknown; readonly locked: boolean }>

/** The sealing context of the values of an offer, or of an order and its install. */
export const offerContext = (id: string): string => `offers ${id}`
export const orderContext = (id: string): string => `orders ${id}`

export function sealValues(seal: Seal, values: Values, secret: ReadonlySet<string>, context: string): Values {
  return mapValues(values, (value, property) =>
    secret.has(property) ? { $sealed: seal.seal(JSON.stringify(value), `${context} ${property}`) } : value,
  )
}

export function resealValues(
  seal: Seal,
  values: Values,
  secret: ReadonlySet<string>,
  context: string,
): Values {
  const stale = mapValues(values, (value, property) => {
    if (!isSealed(value) || sealedWith(String(value.$sealed)) === seal.keyId) return value
    return JSON.parse(seal.unseal(String(value.$sealed), `${context} ${property}`))
  })
  const left = Object.entries(stale).filter(([property, value]) => secret.has(property) && !isSealed(value))
  return { ...stale, ...sealValues(seal, Object.fromEntries(left), secret, context) }
}

export const unsealValues = (seal: Seal, values: Values, context: string): Values =>
  mapValues(values, (value, property) =>
    isSealed(value) ? JSON.parse(seal.unseal(String(value.$sealed), `${context} ${property}`)) : value,
  )

export const hideSealed = (values: Values): Values =>
  mapValues(values, value => (isSealed(value) ? hiddenValue : value))

export const inOffer = (offered: OfferedValues, change: (values: Values) => Values): OfferedValues => {
  const changed = change(mapValues(offered, entry => (entry as OfferedValues[string]).value))
  return mapValues(offered, (entry, property) => ({
    ...(entry as OfferedValues[string]),
    value: changed[property],
  })) as OfferedValues
}

/** `__proto__` is a name like any other. */
function mapValues(values: Values, change: (value: unknown, property: string) => unknown): Values {
  return Object.fromEntries(
    Object.entries(values).map(([property, value]) => [property, change(value, property)]),
  )
}
