import { refusal } from '@svc/contract/core/errors'

/** Fields of a form: the longest of ours, an offer with a schema of 200 properties, has half as many. */
const maxFields = 1000

/** To parse a form costs as much as it has fields, so they are counted before. @throws ApiError `Validation` where there are too many */
export function boundFields(text: string): string {
  let fields = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (++fields > maxFields)
      throw refusal('invalid_body', { message: `The form has more than ${maxFields} fields.` })
  }
  return text
}
