/** Answers the library's calls to a validator without generated code, which the page's policy forbids. */
import type { RJSFSchema, ValidationData, ValidatorType } from '@rjsf/utils'
import { fits } from './check-values.ts'

export const formValidator: ValidatorType = {
  // Called to choose between alternatives and to evaluate conditions.
  isValid: (schema: RJSFSchema, value: unknown) => {
    try {
      return fits(schema, value)
    } catch {
      return false
    }
  },
  // checkValues finds problems, since it knows more of the schema than the library.
  validateFormData: (): ValidationData<unknown> => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
}
