import type { ErrorObject, ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { relevantErrors } from './relevant-errors.ts'
import type { Evaluation, Result } from './evaluation.ts'

// Mostly for the memory of a cached result.
const stepsToRemember = 10

type Position = Pick<DataValidationCxt, 'instancePath'>

/**
 * A schema that references lead to. If several do, its results are cached, so each part of a value is evaluated
 * against it once. A single reference reaches each part only once anyway. So the work is bounded by schemas times
 * parts.
 */
export class Definition {
  readonly #evaluation: Evaluation
  readonly #memoised: boolean
  #validate: ValidateFunction | undefined
  /** Errors of the last evaluation, as on ajv's functions. The caller may modify them. */
  errors: ErrorObject[] = []
  props: Result['props']
  items: Result['items']

  constructor(evaluation: Evaluation, memoised: boolean) {
    this.#evaluation = evaluation
    this.#memoised = memoised
  }

  setValidator(validate: ValidateFunction): void {
    this.#validate = validate
  }

  evaluate(value: unknown, at: Position = { instancePath: '' }): boolean {
    this.#evaluation.spend(1)
    const { valid, errors, props, items } = this.#resultOf(value, at)
    this.errors = valid ? errors : [...errors]
    this.props = this.#copy(props)
    this.items = items
    return valid
  }

  #resultOf(value: unknown, at: Position): Result {
    // Objects and arrays are identified by reference: a part of a value is the same object however evaluation reaches it.
    if (!this.#memoised || typeof value !== 'object' || value === null) return this.#compute(value, at)
    const remembered = this.#evaluation.resultsOf(this)
    const earlier = remembered.get(value)
    if (earlier) return earlier
    this.#evaluation.spend(stepsToRemember)
    const result = this.#compute(value, at)
    remembered.set(value, result)
    return result
  }

  #compute(value: unknown, at: Position): Result {
    const validate = this.#validate as ValidateFunction
    if (validate(value, at as DataValidationCxt)) {
      // To ajv, `undefined` items would mean all of them.
      const { props, items = 0 } = validate.evaluated ?? {}
      return { valid: true, errors: none, props, items }
    }
    const errors = validate.errors ?? none
    this.#evaluation.spend(errors.length)
    return {
      valid: false,
      errors: relevantErrors(errors, at.instancePath),
      props: undefined,
      items: undefined,
    }
  }

  #copy(props: Result['props']): Result['props'] {
    if (typeof props !== 'object') return props
    this.#evaluation.spendOn(props)
    return { ...props }
  }
}

const none: ErrorObject[] = []
