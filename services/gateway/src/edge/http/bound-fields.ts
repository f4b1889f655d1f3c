import { refusal } from '@svc/contract/core/errors'

const maxFields = 1000

/** Counts fields before parsing, whose cost grows with them. @throws ApiError `Validation` if there are too many */
export function boundFields(text: string): string {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > maxFields)
      throw refusal('invalid_body', { message: `The form has more than ${maxFields} fields.` })
  }
  return text
}
