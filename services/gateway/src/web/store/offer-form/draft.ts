/** What somebody has typed, kept in the tab until it is ordered: for a refresh, and for the way back to the page. */
import type { OfferFormData } from '../../kit/offers/offer-form-data.ts'
import { isObject, type Schema } from './json-value.ts'

export interface Entered {
  readonly values: Readonly<Record<string, unknown>>
  /** What was entered as JSON, by property. */
  readonly texts: Readonly<Record<string, string>>
}

export interface Draft extends Entered {
  readonly latest: string
  /** What the form's own inputs show, such as the workspace. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Undefined if there is none, or it was for an order that has been placed. */
export function readDraft({ draftKey, latest, areSent }: OfferFormData): Draft | undefined {
  if (areSent) return undefined
  try {
    const draft: Draft | null = JSON.parse(sessionStorage.getItem(draftKey) ?? 'null')
    return draft?.latest === latest ? { ...draft, values: revived(draft.values) as Schema } : undefined
  } catch {
    return undefined
  }
}

export function keepDraft(
  form: HTMLFormElement,
  { draftKey, latest }: OfferFormData,
  entered: () => Entered,
) {
  // Otherwise the browser restores some of the fields on its own, which the state would not know.
  form.autocomplete = 'off'
  const save = () => {
    const inputs = Object.fromEntries(inputsOf(form).map(({ name, value }) => [name, value]))
    try {
      sessionStorage.setItem(draftKey, JSON.stringify({ ...entered(), inputs, latest }, orNull))
    } catch {
      // Storage is full or forbidden: everything else works without it.
    }
  }
  addEventListener('pagehide', save)
  document.addEventListener('visibilitychange', save)
}

export function putBack(form: HTMLFormElement, { inputs }: Draft) {
  for (const input of inputsOf(form)) {
    const text = inputs[input.name]
    const isOffered =
      input instanceof HTMLInputElement || [...input.options].some(({ value }) => value === text)
    if (text !== undefined && isOffered) input.value = text
  }
}

const inputsOf = (form: HTMLFormElement) =>
  [...form.elements].filter(
    (input): input is HTMLInputElement | HTMLSelectElement =>
      (input instanceof HTMLSelectElement ||
        (input instanceof HTMLInputElement && input.type !== 'hidden')) &&
      input.name !== '' &&
      !input.name.startsWith('values'),
  )

/** JSON cannot say that a field was emptied. */
const orNull = (_name: string, value: unknown) => value ?? null

function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived)
  if (!isObject(value)) return value ?? undefined
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [name, revived(inside)]))
}

/**
 * Whether what is entered for a property may be stored: nothing in it can be a password, for which the service would seal it.
 *
 * @param drawn without references
 */
export function mayStore(schema: Schema, drawn: Schema): (property: string) => boolean {
  const { $defs, definitions, properties, ...others } = schema
  if (!JSON.stringify(schema).includes('"password"')) return () => true
  const secret = secretProperties([drawn, others])
  const opaque = /"(?:password|\$ref|\$dynamicRef)"/
  const textOf = (name: string) => JSON.stringify(isObject(properties) ? properties[name] : '')
  const isDrawn = (name: string) => isObject(drawn.properties) && Object.hasOwn(drawn.properties, name)
  return name => !secret.has('') && !secret.has(name) && (isDrawn(name) || !opaque.test(textOf(name)))
}

/** Names of the root's properties with a password anywhere; empty for one that is not in a named property. */
function secretProperties(schema: unknown, name = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) for (const part of schema) secretProperties(part, name, found)
  if (!isObject(schema)) return found
  if (schema.format === 'password') found.add(name)
  for (const [keyword, inside] of Object.entries(schema)) {
    if (keyword !== 'properties' || !isObject(inside)) secretProperties(inside, name, found)
    else for (const [property, one] of Object.entries(inside)) secretProperties(one, name || property, found)
  }
  return found
}
