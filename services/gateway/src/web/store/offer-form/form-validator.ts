/** The library's questions to a validator, answered without generated code, which the page's policy forbids. */
import type { RJSFSchema, ValidationData, ValidatorType } from '@rjsf/utils'
import { fits } from './check-values.ts'

export const formValidator: ValidatorType = {
  // Asked to choose between alternatives and to decide conditions.
  isValid: (schema: RJSFSchema, value: unknown) => {
    try {
      return fits(schema, value)
    } catch {
      return false
    }
  },
  // What is wrong is found by checkValues, which knows more of the schema than the library is given.
  validateFormData: (): ValidationData<unknown> => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
}
