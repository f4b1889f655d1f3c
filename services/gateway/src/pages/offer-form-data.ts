/** What the page of an offer hands to its form. */
export interface OfferFormData {
  /** JSON Schema 2020-12, as the seller wrote it. */
  readonly schema: Readonly<Record<string, unknown>>
  /** To begin with, or as they were sent before. */
  readonly values: Readonly<Record<string, unknown>>
  /** Fixed by the seller. */
  readonly locked: Readonly<Record<string, unknown>>
  /** What the service refused. */
  readonly problems: readonly FieldProblem[]
}

export interface FieldProblem {
  /** From the values down. */
  readonly path: readonly string[]
  readonly message: string
}

/** Ids of the page that its form looks for. */
export const ids = {
  form: 'order',
  data: 'offer-form-data',
  fields: 'fields',
  problems: 'problems',
  values: 'field_values',
} as const

/** Of a field, by the path of its value. */
export const fieldId = (path: readonly string[]): string => ['values', ...path].join('_')

/** A problem as it is read above the form. */
export const problemText = (label: string, message: string): string =>
  label ? `${label}: ${message}` : message
