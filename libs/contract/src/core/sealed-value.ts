/** What answers have in the place of a field value that holds a `format: password`. */
export const hiddenValue = { $sealed: true } as const

/** Whether it is sealed, or says that something is: what is sent must not pass for the one or the other. */
export const isSealed = (value: unknown): value is { readonly $sealed: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, '$sealed') &&
  Object.keys(value).length === 1

export const isHidden = (value: unknown): boolean => isSealed(value) && value.$sealed === true
