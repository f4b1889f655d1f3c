import type { ErrorObject, ValidateFunction } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import { relevantErrors } from './relevant-errors.ts'
import type { Answer, Evaluation } from './evaluation.ts'

// Mostly for its memory.
const STEPS_TO_REMEMBER = 10

/** Where a value stands; ajv's functions have defaults for the rest. */
type At = Pick<DataValidationCxt, 'instancePath'>

/**
 * A schema that references lead to. Where several do, it is memoised: each part of a value is held against it once. Where one
 * does, that one comes to each part once itself. So all work is bounded by schemas times parts.
 */
export class Definition {
  readonly #evaluation: Evaluation
  readonly #memoised: boolean
  #validate: ValidateFunction | undefined
  /** Of the last evaluation, as ajv's functions have them; the caller's own. */
  errors: ErrorObject[] = []
  props: Answer['props']
  items: Answer['items']

  /** @param memoised whether two references can lead here from one value */
  constructor(evaluation: Evaluation, memoised: boolean) {
    this.#evaluation = evaluation
    this.#memoised = memoised
  }

  compiled(validate: ValidateFunction): void {
    this.#validate = validate
  }

  evaluate(value: unknown, at: At = { instancePath: '' }): boolean {
    this.#evaluation.spend(1)
    const { valid, errors, props, items } = this.#answer(value, at)
    this.errors = valid ? errors : [...errors]
    this.props = this.#copy(props)
    this.items = items
    return valid
  }

  #answer(value: unknown, at: At): Answer {
    // A part of a value is the same object wherever the evaluation comes from, and nothing else is.
    if (!this.#memoised || typeof value !== 'object' || value === null) return this.#compute(value, at)
    const known = this.#evaluation.answersOf(this)
    const earlier = known.get(value)
    if (earlier) return earlier
    this.#evaluation.spend(STEPS_TO_REMEMBER)
    const answer = this.#compute(value, at)
    known.set(value, answer)
    return answer
  }

  #compute(value: unknown, at: At): Answer {
    const validate = this.#validate as ValidateFunction
    if (validate(value, at as DataValidationCxt)) {
      // ajv takes no number of items for all of them.
      const { props, items = 0 } = validate.evaluated ?? {}
      return { valid: true, errors: NONE, props, items }
    }
    const errors = validate.errors ?? NONE
    this.#evaluation.spend(errors.length)
    return {
      valid: false,
      errors: relevantErrors(errors, at.instancePath),
      props: undefined,
      items: undefined,
    }
  }

  /** The caller adds to it. */
  #copy(props: Answer['props']): Answer['props'] {
    if (typeof props !== 'object') return props
    this.#evaluation.spendOn(props)
    return { ...props }
  }
}

const NONE: ErrorObject[] = []
