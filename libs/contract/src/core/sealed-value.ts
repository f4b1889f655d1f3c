/** Stands in answers for a field value with `format: password`. */
export const hiddenValue = { $sealed: true } as const

/** Whether it is sealed or claims to be: callers must not send either. */
export const isSealed = (value: unknown): value is { readonly $sealed: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, '$sealed') &&
  Object.keys(value).length === 1

export const isHidden = (value: unknown): boolean => isSealed(value) && value.$sealed === true
