/** The form's state is what the page shows. */
import { type FieldProblem, fieldId } from '../../kit/offers/offer-form-data.ts'
import { isObject } from './json-value.ts'

/** Values of fields that have gone, since the condition for them no longer holds, were not entered. */
export function shown(
  values: Record<string, unknown>,
  path: readonly string[] = [],
): Record<string, unknown> {
  const inside = (value: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => inside(item, [...path, `${index}`]))
    return isObject(value) ? shown(value, path) : value
  }
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => document.getElementById(fieldId([...path, name])))
      .map(([name, value]) => [name, inside(value, [...path, name])]),
  )
}

/** Inputs such as that of a date have no value while half of it is entered. */
export const unfinished = (container: Element): FieldProblem[] =>
  [...container.querySelectorAll('input')]
    .filter(({ validity }) => validity.badInput)
    .map(({ name }) => ({ path: pathIn(name), message: 'complete this, or clear it' }))

export const nameOf = (path: readonly (string | number)[]) =>
  ['values', ...path].map(encodeURIComponent).join('/')
const pathIn = (name: string) => name.split('/').slice(1).map(decodeURIComponent)
